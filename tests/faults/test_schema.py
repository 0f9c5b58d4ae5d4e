"""schemathesis asks all that the OpenAPI document allows, and much that it does not: no 500, no undocumented answer."""

import warnings
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from tests.faults.clients import create
from tests.faults.sizes import SIZES
from tests.live.server import Server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own dependencies
    import schemathesis
    from schemathesis.specs.openapi import checks

CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
ENDLESS = "/v1/experiments/{experiment}/stream"


def ask(operation, mode, headers, statuses):
    """Send examples of one call, valid or not, and hold the answers against the document."""

    @settings(
        max_examples=SIZES.examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case):
        names = case.path_parameters or {}
        if "experiment" in names and len(str(case.path_parameters["experiment"])) % 2:
            names["experiment"] = "e"  # often one that exists
        if "unit" in names and len(str(names["unit"])) % 2:
            names["unit"] = "u1"
        response = case.call(headers=headers)
        statuses[response.status_code] += 1
        assert response.status_code != 500, case.as_curl_command()
        case.validate_response(response, checks=CHECKS)

    run()


@pytest.mark.slow
def test_no_answer_is_a_500_or_undocumented(database):
    with Server(database, "--log-level", "error") as server:
        create(server)
        with server.client() as client:
            assert client.put("/v1/experiments/e/allocations/u1").status_code == 201
            # Its process starts now, and not while schemathesis waits for it.
            assert client.post("/v1/plan", json={"arms": 2, "horizon": 3, "alpha": 1}).status_code == 200
        headers = {"authorization": f"Bearer {server.token}"}
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json", headers=headers)
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) >= 20
        statuses = Counter()
        for operation in operations:
            if operation.path != ENDLESS:
                ask(operation, schemathesis.GenerationMode.POSITIVE, headers, statuses)
                if operation.body or any(
                    True for _ in operation.iter_parameters()
                ):  # else nothing can be wrong
                    ask(operation, schemathesis.GenerationMode.NEGATIVE, headers, statuses)
        assert {200, 201, 404, 409, 422} <= statuses.keys()  # it did reach the service, not only its refusals
        with server.client() as client:
            assert client.get("/v1/experiments/e/verify").status_code == 200
        assert '"defect"' not in server.log()
