/** A server on a store of its own, for tests; STEADYARM names the program. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = process.env.STEADYARM ?? "steadyarm";

export async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}

/** A store with a token for everything; `start` and `kill` its server as often as you like. */
export async function newServer() {
  const folder = mkdtempSync(join(tmpdir(), "steadyarm-"));
  const database = ["--database", `sqlite:///${folder}/live.db`];
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const words = ["live", "token", ...database, "--scope"];
  const newToken = (scope) => execFileSync(PROGRAM, [...words, scope], { encoding: "utf8" }).trim();
  let server = null;

  async function start() {
    const options = ["live", "serve", ...database, "--port", port, "--log-level", "error"];
    server = spawn(PROGRAM, options, { stdio: "ignore" });
    for (let tries = 0; tries < 1200; tries++) {
      if ((await fetch(`${url}/readyz`).catch(() => ({}))).ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("the server did not start");
  }

  async function kill() {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  }

  process.once("exit", () => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return { start, kill, url, folder, newToken, token: newToken("admin") };
}
