/** Experiments as flags of OpenFeature, by its own provider for Node as it comes from the registry. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

import { Client } from "../dist/client.js";
import { newServer } from "../testing/server.mjs";

const ARMS = ["a", "b", "c"];
const { start, kill, url, token, newToken } = await newServer();
const admin = new Client(url, token);

async function created(name, more = {}) {
  const experiment = admin.experiment(name);
  await experiment.create({ arms: ARMS, horizon: 100, rewards: "bernoulli", policy: "MOSS", seed: 1, ...more });
  await experiment.start();
  return experiment;
}

/** An application's flags, with a token that may do as much as that needs. */
async function flagsOf(domain, given) {
  const headers = [["Authorization", `Bearer ${given}`]];
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: url, headers }));
  return OpenFeature.getClient(domain);
}

let flags;

before(async () => {
  await start();
  flags = await flagsOf("shop", newToken("allocate"));
});

after(async () => {
  await OpenFeature.close();
  await kill();
});

test("a flag's value is the arm of the unit, and the same again", async () => {
  const experiment = await created("colours");
  const who = { targetingKey: "orders/2026 №17", country: "NL" };
  const found = await flags.getStringDetails("colours", "none", who);
  assert.equal(found.errorCode, undefined);
  assert.ok(ARMS.includes(found.value));
  assert.deepEqual([found.variant, found.reason], [found.value, "SPLIT"]);
  assert.equal(await flags.getStringValue("colours", "none", who), found.value);
  const unit = await experiment.allocate(who.targetingKey);
  assert.deepEqual([unit.arm, unit.round, unit.seq], [found.value, found.flagMetadata.round, found.flagMetadata.seq]);
  assert.equal((await experiment.state()).round, 1);
});

test("strata are given by the context", async () => {
  await created("apart", { strata: ["ios", "web"] });
  const found = await flags.getStringDetails("apart", "none", { targetingKey: "zoe", stratum: "web" });
  assert.deepEqual([found.reason, found.flagMetadata.stratum], ["SPLIT", "web"]);
  const nowhere = await flags.getStringDetails("apart", "none", { targetingKey: "max", stratum: "tv" });
  assert.deepEqual([nowhere.value, nowhere.reason], ["none", "ERROR"]);
  assert.match(nowhere.errorMessage, /one of 'ios', 'web'/);
});

test("a unit that is held out has the code's default, or the arm that was stated", async () => {
  const experiment = await created("held", { holdout: 0.999999 });
  await created("stated", { holdout: { share: 0.999999, arm: "b" } });
  const held = await flags.getStringDetails("held", "my default", { targetingKey: "zoe" });
  assert.equal(held.value, "my default"); // its reason is ERROR: this provider expects a value in every answer
  assert.equal((await experiment.allocate("zoe")).holdout, true);
  const stated = await flags.getStringDetails("stated", "my default", { targetingKey: "zoe" });
  assert.deepEqual([stated.value, stated.variant, stated.reason], ["b", "holdout", "DEFAULT"]);
});

test("what cannot be evaluated is the default, with the protocol's reason", async () => {
  await created("paused");
  const headers = { Authorization: `Bearer ${token}` };
  assert.ok((await fetch(`${url}/v1/experiments/paused/pause`, { method: "POST", headers })).ok);
  for (const [flag, key, code] of [
    ["nowhere", "zoe", "FLAG_NOT_FOUND"],
    ["colours", undefined, "TARGETING_KEY_MISSING"],
    ["colours", "", "TARGETING_KEY_MISSING"],
    ["colours", " zoe", "INVALID_CONTEXT"],
    ["colours", "a\u0000b", "INVALID_CONTEXT"],
    ["colours", "\ud800", "PARSE_ERROR"],
    ["paused", "zoe", "GENERAL"],
  ]) {
    const found = await flags.getStringDetails(flag, "default", key === undefined ? {} : { targetingKey: key });
    assert.deepEqual([found.value, found.reason, found.errorCode], ["default", "ERROR", code], `${flag} ${key}`);
    assert.ok(found.errorMessage);
  }
});

test("an arm is a text, and no other kind of flag", async () => {
  const found = await flags.getBooleanDetails("colours", false, { targetingKey: "zoe" });
  assert.deepEqual([found.value, found.errorCode], [false, "TYPE_MISMATCH"]);
});

test("who may not, or has a wrong token, gets the default", async () => {
  for (const given of [newToken("read"), "steadyarm_0123456789ab_wrong"]) {
    const others = await flagsOf(`others-${given}`, given);
    const found = await others.getStringDetails("colours", "default", { targetingKey: "new" });
    assert.deepEqual([found.value, found.reason], ["default", "ERROR"]);
  }
  await assert.rejects(admin.experiment("colours").report("new", 1), { code: "unknown_unit" });
});

test("the default is served while the service is away, and the arm after that", async () => {
  const before = await flags.getStringValue("colours", "none", { targetingKey: "zoe" });
  await kill();
  assert.equal(await flags.getStringValue("colours", "default", { targetingKey: "zoe" }), "default");
  await start();
  assert.equal(await flags.getStringValue("colours", "default", { targetingKey: "zoe" }), before);
});
