"""Has the files of deploy/ read by the programs they are for, where those are installed; asks a server through nginx.

`.venv/bin/python tools/check_deploy.py` wants systemd-analyze, caddy, nginx and openssl; it says which it has not
found, and fails if there is none. The Dockerfile needs a Docker daemon: `docker build -f deploy/Dockerfile .`.
"""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

DEPLOY = Path(__file__).parent.parent / "deploy"
EXPOSURE = 2.0  # the most that systemd may find in the unit, of 10


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def systemd(folder):
    unit = folder / "steadyarm.service"
    unit.write_text((DEPLOY / unit.name).read_text().replace("/opt/steadyarm/bin/steadyarm", "/bin/true"))
    said = run("systemd-analyze", "verify", unit)
    if said.strip():
        sys.exit(said)
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    exposure = float(re.search(r"exposure level for steadyarm.service: ([\d.]+)", said).group(1))
    assert exposure <= EXPOSURE, said
    return f"verified, exposure {exposure} of 10"


def caddy(_folder):
    run("caddy", "adapt", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile")
    return "read"


def nginx(folder):
    """Run it before a server of ours, and ask through it."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    made = ("-subj", "/CN=localhost", "-days", "1", "-out", certificate, "-keyout", key)
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made)
    outside, inside = free_port(), free_port()
    site = (DEPLOY / "nginx.conf").read_text()
    site = site.replace("/etc/ssl/experiments.example.org", str(folder))
    site = site.replace("listen 443", f"listen 127.0.0.1:{outside}").replace(
        "127.0.0.1:8470 max_fails", f"127.0.0.1:{inside} max_fails"
    )
    logs = f"daemon off; pid {folder}/pid; error_log {folder}/error.log;"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    whole = folder / "nginx.conf"
    whole.write_text(f"{logs}\nevents {{}}\nhttp {{\naccess_log off; {places}\n{site}\n}}\n")
    run("nginx", "-t", "-c", whole)
    store = f"sqlite:///{folder}/live.db"
    steadyarm = [sys.executable, "-m", "steadyarm", "live"]
    token = run(*steadyarm, "token", "--database", store, "--scope", "admin").strip()
    serving = [*steadyarm, "serve", "--database", store, "--port", str(inside), "--log-level", "error"]
    with subprocess.Popen(serving) as server, subprocess.Popen(["nginx", "-c", whole]) as proxy:
        try:
            return asked(f"https://127.0.0.1:{outside}", token)
        finally:
            proxy.terminate()
            server.terminate()


def asked(url, token):
    """Names with a slash, too large a body, and a stream that comes without delay."""
    import ssl

    context = ssl._create_unverified_context()

    def ask(method, path, body=None, timeout=20):
        headers = {"authorization": f"Bearer {token}"}
        request = urllib.request.Request(url + path, body, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=timeout, context=context)
        except urllib.error.HTTPError as error:
            return error

    until = time.monotonic() + 180
    while True:
        try:
            if ask("GET", "/readyz").status == 200:
                break
        except OSError:
            pass
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.2)
    experiment = "/v1/experiments/e"
    assert ask("PUT", experiment, b'{"arms": ["a", "b"], "horizon": 100}').status == 201
    assert ask("POST", f"{experiment}/start").status == 200
    answer = ask("PUT", f"{experiment}/allocations/orders%2F17")
    assert answer.status == 201, answer.read()
    assert b'"orders/17"' in answer.read()
    assert ask("POST", f"{experiment}/allocations", b" " * 300_000).status == 413
    stream = ask("GET", f"{experiment}/stream", timeout=5)
    seen = [stream.readline() for _ in range(10)]  # two entries; a proxy that buffers would keep them back
    assert sum(line.startswith(b"data: ") for line in seen) == 2, seen
    return "passes names, limits bodies and does not hold streams back"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    found = 0
    for program, check in (("systemd-analyze", systemd), ("caddy", caddy), ("nginx", nginx)):
        if shutil.which(program) is None:
            print(f"{program}: not installed, so its file was not checked")
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(f"{program}: {check(Path(folder))}")
        found += 1
    sys.exit(0 if found else "none of the programs is installed")


if __name__ == "__main__":
    main()
