/** The client against a real server, which is stopped and started again. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Client, LiveError, NoAnswer } from "../dist/client.js";
import { freePort, newServer } from "../testing/server.mjs";

const CONFIGURATION = { arms: ["a", "b", "c"], horizon: 1000, rewards: "bernoulli", policy: "SLEUCB", seed: 1 };
const { start, kill, url, token, folder } = await newServer();

before(async () => {
  await start();
  const experiment = new Client(url, token).experiment("e");
  await experiment.create(CONFIGURATION);
  await experiment.start();
});

after(kill);

test("a unit keeps its arm, whatever its name, and the first reward wins", async () => {
  const experiment = new Client(url, token).experiment("e");
  const given = await experiment.allocate("orders/2026 №17");
  assert.equal(given.unit, "orders/2026 №17");
  assert.deepEqual(await experiment.allocate("orders/2026 №17"), given);
  assert.equal((await experiment.report(given.unit, 1)).reward, 1);
  await assert.rejects(experiment.report(given.unit, 0), (error) => error instanceof LiveError && error.status === 409);
  const { allocations } = await experiment.allocateMany(["x", "y"]);
  assert.deepEqual(allocations.map((each) => each.unit), ["x", "y"]);
  assert.equal((await experiment.reportMany({ x: 1, y: 0 })).rewards.length, 2);
  assert.equal((await experiment.state()).rewarded, 3);
  assert.equal((await experiment.results()).arms.length, 3);
});

test("an answer that was lost is asked for again, and nothing is done twice", async () => {
  let calls = 0;
  const flaky = async (...request) => {
    const response = await fetch(...request);
    if (++calls === 1) throw new TypeError("the answer was lost");
    return response;
  };
  const experiment = new Client(url, token, { fetch: flaky }).experiment("e");
  const before = (await experiment.state()).round; // two calls: the first answer was lost
  calls = 0;
  const given = await experiment.allocate("lost");
  assert.equal(given.round, before + 1);
  assert.equal(calls, 2);
});

test("of several addresses the one that serves is found", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const experiment = new Client([nobody, `${url}/`], token).experiment("e");
  assert.equal((await experiment.allocate("found")).unit, "found");
});

test("a default is served while the service is away, and recorded when it is back", async () => {
  const client = new Client(url, token, { deadline: 600 });
  const experiment = client.experiment("e");
  await kill();
  const begun = Date.now();
  assert.deepEqual(await experiment.allocate("u1", { fallback: "b" }), { unit: "u1", arm: "b", round: 0, seq: 0 });
  assert.equal((await experiment.allocate("u1", { fallback: "c" })).arm, "b"); // a unit keeps its arm
  assert.equal((await experiment.allocate("u2", { fallback: "nowhere" })).arm, "nowhere");
  await assert.rejects(experiment.allocate("u3"), NoAnswer);
  assert.ok(Date.now() - begun < 6000);
  await start();
  const again = await experiment.allocate("u1", { deadline: 30_000 }); // told first, so that the policy does not give another
  assert.deepEqual([again.arm, again.round], ["b", 0]);
  assert.equal((await new Client(url, token).experiment("e").state()).defaulted, 1);
  assert.deepEqual(client.refused.map((each) => [each.unit, each.error.code]), [["u2", "invalid"]]);
});

test("a deadline may be any number of milliseconds", async () => {
  const experiment = new Client(url, token, { deadline: 20_000.5, timeout: 60_000 }).experiment("e");
  assert.equal((await experiment.allocate("odd")).unit, "odd");
});

test("many defaults are told in half the time of a call, and the rest with the next", async () => {
  const slowly = async (...request) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return fetch(...request);
  };
  const client = new Client(url, token, { fetch: slowly });
  const names = Array.from({ length: 30 }, (_, number) => `many${number}`);
  for (const name of names) { // an experiment each, so that each is a call of its own
    await new Client(url, token).experiment(name).create(CONFIGURATION);
    client.unrecorded.set(name, new Map([["u", { unit: "u", arm: "b" }]]));
  }
  const begun = performance.now();
  const served = await client.experiment("many29").allocate("u", { fallback: "c", deadline: 1000 });
  assert.ok(performance.now() - begun < 2000);
  assert.deepEqual([served.arm, served.round], ["b", 0]);
  const left = [...client.unrecorded.values()].filter((each) => each.size).length;
  assert.ok(20 < left && left < 30);
});

test("a unit that cannot be told takes no others with it", async () => {
  const client = new Client(url, token, { deadline: 600 });
  const experiment = client.experiment("small");
  await experiment.create({ arms: ["a", "b"], horizon: 5, rewards: "bernoulli" });
  await kill();
  for (const unit of [" bad", "u1", "u2", "u3"]) await experiment.allocate(unit, { fallback: "a", deadline: 300 });
  await start();
  await client.record(30_000);
  assert.equal((await experiment.state()).defaulted, 3);
  assert.deepEqual(client.refused.map((each) => each.unit), [" bad"]);
});

test("defaults stay to be told while the token is over", async () => {
  const client = new Client(url, "over");
  client.unrecorded.set("e", new Map([["u-over", { unit: "u-over", arm: "b" }]]));
  await assert.rejects(client.experiment("e").allocate("another", { fallback: "a" }), { status: 401 });
  assert.deepEqual([client.unrecorded.get("e").size, client.refused], [1, []]);
});

test("a default is recorded in the stratum of its unit", async () => {
  const client = new Client(url, token, { deadline: 600 });
  const experiment = client.experiment("apart");
  await experiment.create({ arms: ["a", "b"], horizon: 100, rewards: "bernoulli", strata: ["ios", "web"] });
  await experiment.start();
  await kill();
  const served = { unit: "u1", arm: "b", stratum: "web", round: 0, seq: 0 };
  assert.deepEqual(await experiment.allocate("u1", { stratum: "web", fallback: "b" }), served);
  await start();
  const again = await experiment.allocate("u1", { stratum: "ios", deadline: 30_000 });
  assert.deepEqual(again, { ...served, seq: 3 });
  assert.equal((await experiment.allocateMany(["u2"], "ios")).allocations[0].stratum, "ios");
});

test("the example of the documentation prints what it says", () => {
  const page = readFileSync(new URL("../../../docs/clients.md", import.meta.url), "utf8");
  const example = page.match(/```ts\n(.*?)```/s)[1];
  const client = new URL("../dist/client.js", import.meta.url).href;
  const file = join(folder, "example.mjs");
  writeFileSync(file, example.replace('"steadyarm-live"', JSON.stringify(client)));
  const env = { ...process.env, URL: url, TOKEN: token };
  assert.equal(execFileSync(process.execPath, [file], { encoding: "utf8", env }), "visitor-17 1\nreward_conflict\n3\n");
});

test("a refusal is an error whatever the default", async () => {
  const nowhere = new Client(url, token).experiment("nowhere");
  await assert.rejects(nowhere.allocate("u", { fallback: "a" }), { name: "LiveError", code: "unknown_experiment" });
});
