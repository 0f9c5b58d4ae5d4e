/**
 * A client of `steadyarm live` for Node, browsers and whatever else has `fetch`.
 *
 * A call whose answer was lost is made again, which changes nothing: a unit is its own idempotency key. Nobody waits
 * longer than the deadline. While the service is away a default arm can be served; the service is told when it is back.
 */

import { type Allocation, type Answer, type Body, type CallName, MOST_IN_A_BATCH, type Problem, type UnitDefault } from "./api.js";

export type * from "./api.js";

/** A refusal of the service; `code` is stable. */
export class LiveError extends Error {
  override readonly name = "LiveError";
  readonly code: string;
  constructor(readonly status: number, readonly problem: Partial<Problem> & { errors?: { unit: string }[] }) {
    super(problem.detail ?? `HTTP status ${status}`);
    this.code = problem.code ?? "unknown";
  }
  /** Whether the same call may be answered later; damage does not go away by itself. */
  get passing(): boolean {
    return [502, 503, 504].includes(this.status) && this.code !== "damaged";
  }
}

/** Nobody answered in time; whether the call was done is not known, and the same call again is safe. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface Options {
  /** Milliseconds for a call with all its attempts. */
  deadline?: number;
  /** Milliseconds for one attempt. */
  timeout?: number;
  fetch?: typeof fetch;
}

export interface AllocateOptions {
  /** Of a new unit, if the experiment has strata. */
  stratum?: string;
  /** The arm that is served, with round 0, while the service is away. */
  fallback?: string;
  /** Milliseconds for this call. */
  deadline?: number;
}

const FIRST_WAIT = 50, LONGEST_WAIT = 2000, SHORTEST_ATTEMPT = 250; // milliseconds
const MOST_UNRECORDED = 100_000; // units
const OF_SOME = new Set(["invalid", "malformed", "too_large", "horizon_reached"]); // refusals that a part of a batch may not meet

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const OF_THE_CALLER = new Set([401, 429]); // a token that is over, too many calls
/** Whether a refusal is about what was told, and would be repeated; about the caller or the service, it may pass. */
const isVerdict = ({ status, code }: LiveError) => (status < 500 && !OF_THE_CALLER.has(status)) || code === "damaged";
const isAway = (error: unknown) => error instanceof NoAnswer || (error instanceof LiveError && error.passing);

/** Talks to a service at one address, or at those of a server and its standbys. */
export class Client {
  /** Units that were served a default and are still to be told: by experiment, then by unit. It lives in memory. */
  readonly unrecorded = new Map<string, Map<string, UnitDefault>>();
  /** Defaults that the service would not take, each with why. */
  readonly refused: (UnitDefault & { experiment: string; error: LiveError })[] = [];
  readonly #urls: string[];
  readonly #headers: Record<string, string>;
  readonly #deadline: number;
  readonly #timeout: number;
  readonly #fetch: typeof fetch;
  #now = 0;

  constructor(urls: string | string[], token: string, options: Options = {}) {
    this.#urls = [urls].flat().map((url) => url.replace(/\/+$/, ""));
    if (this.#urls.length === 0) throw new RangeError("a client needs at least one URL; got none.");
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    this.#deadline = options.deadline ?? 30_000;
    this.#timeout = options.timeout ?? 10_000;
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    if (!(this.#deadline > 0)) throw new RangeError(`deadline must be positive; got ${this.#deadline}. It is in ms.`);
  }

  experiment(name: string): LiveExperiment {
    return new LiveExperiment(this, name);
  }

  /** Make a call by its name in api.ts; `names` fill in the braces of its path. */
  async call<C extends CallName>(
    call: C, names: Record<string, string> = {}, body?: Body<C>, deadline = this.#deadline,
  ): Promise<Answer<C>> {
    const [method, template] = call.split(" ") as [string, string];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));
    const until = performance.now() + deadline;
    for (let made = 1; ; made++) {
      const at = this.#now;
      let error: LiveError | NoAnswer;
      try {
        const response = await this.#fetch(this.#urls[at] + path, {
          method,
          headers: this.#headers,
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(this.#timeout, until - performance.now())))),
        });
        if (response.ok) return (await response.json()) as Answer<C>;
        error = new LiveError(response.status, (await response.json().catch(() => ({}))) as Partial<Problem>);
        if (!error.passing) throw error;
      } catch (failed) {
        if (failed instanceof LiveError && !failed.passing) throw failed;
        const said = `no answer to ${method} ${path} within ${deadline} ms; the same call again is safe.`;
        error = new NoAnswer(said, { cause: failed });
      }
      if (this.#now === at) this.#now = (at + 1) % this.#urls.length;
      const round = Math.floor(made / this.#urls.length);
      const doubled = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(round - 1, 10));
      const wait = made % this.#urls.length ? 0 : doubled * (0.5 + Math.random() / 2); // all addresses, then a pause
      if (performance.now() + wait + SHORTEST_ATTEMPT > until) throw error;
      await sleep(wait);
    }
  }

  /** Make a call after telling what is still to be told; with a default it never fails because nobody answers. */
  async allocate(experiment: string, unit: string, options: AllocateOptions = {}): Promise<Allocation> {
    const { stratum, fallback, deadline = this.#deadline } = options;
    const until = performance.now() + deadline, where = stratum === undefined ? undefined : { stratum };
    const serve = (arm: string) => this.#serve(experiment, { unit, arm, ...where });
    try {
      await this.record(deadline / 2);
    } catch (error) {
      if (!isAway(error) && !(error instanceof LiveError)) throw error;
      if (isAway(error) && fallback !== undefined) return serve(fallback); // another error is for the call to meet
    }
    const known = this.unrecorded.get(experiment)?.get(unit); // there was no time to tell all
    if (known && fallback !== undefined) return serve(known.arm);
    try {
      const left = Math.max(SHORTEST_ATTEMPT, until - performance.now());
      return await this.call("PUT /v1/experiments/{experiment}/allocations/{unit}", { experiment, unit }, where, left);
    } catch (error) {
      if (fallback === undefined || !isAway(error)) throw error;
      return serve(fallback);
    }
  }

  /**
   * Tell the service, for so many milliseconds, which units were served a default while it was away; a batch that is
   * refused as a whole in halves.
   */
  async record(deadline = this.#deadline): Promise<void> {
    const until = performance.now() + deadline;
    let most = MOST_IN_A_BATCH;
    for (const [experiment, served] of this.unrecorded) {
      while (served.size) {
        const left = until - performance.now();
        if (left < deadline / 4) return; // not enough for an answer
        let batch = [...served.values()].slice(0, most);
        try {
          const body = { defaults: batch };
          await this.call("POST /v1/experiments/{experiment}/defaults", { experiment }, body, left);
        } catch (error) {
          if (!(error instanceof LiveError) || !isVerdict(error)) throw error;
          const named = new Set(error.problem.errors?.map((each) => each.unit));
          if (!named.size && batch.length > 1 && OF_SOME.has(error.code)) {
            most = Math.floor(batch.length / 2);
            continue;
          }
          batch = named.size ? batch.filter(({ unit }) => named.has(unit)) : batch;
          this.refused.push(...batch.map((each) => ({ experiment, ...each, error })));
        }
        for (const { unit } of batch) served.delete(unit);
        most = Math.min(2 * most, MOST_IN_A_BATCH);
      }
    }
  }

  #serve(experiment: string, served: UnitDefault): Allocation {
    const known = this.unrecorded.get(experiment) ?? new Map<string, UnitDefault>();
    this.unrecorded.set(experiment, known);
    if (!known.has(served.unit)) {
      const waiting = [...this.unrecorded.values()].reduce((sum, each) => sum + each.size, 0);
      if (waiting >= MOST_UNRECORDED) throw new NoAnswer(`${waiting} defaults could not be recorded yet.`);
      known.set(served.unit, served); // a unit keeps the first one
    }
    return { ...(known.get(served.unit) as UnitDefault), round: 0, seq: 0 };
  }
}

/** The calls about one experiment. */
export class LiveExperiment {
  constructor(readonly client: Client, readonly name: string) {}

  /** Which arm for this unit, the same for ever. */
  allocate(unit: string, options: AllocateOptions = {}): Promise<Allocation> {
    return this.client.allocate(this.name, unit, options);
  }
  allocateMany(units: string[], stratum?: string) {
    const where = stratum === undefined ? {} : { stratum };
    return this.#call("POST /v1/experiments/{experiment}/allocations", { units, ...where });
  }
  /** Tell a unit's reward; the first value wins. */
  report(unit: string, reward: number) {
    const call = "PUT /v1/experiments/{experiment}/allocations/{unit}/reward";
    return this.client.call(call, { experiment: this.name, unit }, { reward });
  }
  /** Tell rewards, all of them or none. */
  reportMany(rewards: Record<string, number>) {
    const told = Object.entries(rewards).map(([unit, reward]) => ({ unit, reward }));
    return this.#call("POST /v1/experiments/{experiment}/rewards", { rewards: told });
  }
  void(unit: string, reason: string) {
    const call = "POST /v1/experiments/{experiment}/allocations/{unit}/void";
    return this.client.call(call, { experiment: this.name, unit }, { reason });
  }
  create(configuration: Body<"PUT /v1/experiments/{experiment}">) {
    return this.#call("PUT /v1/experiments/{experiment}", configuration);
  }
  start() {
    return this.#call("POST /v1/experiments/{experiment}/start");
  }
  state() {
    return this.#call("GET /v1/experiments/{experiment}");
  }
  results() {
    return this.#call("GET /v1/experiments/{experiment}/results");
  }

  #call<C extends CallName>(call: C, body?: Body<C>): Promise<Answer<C>> {
    return this.client.call(call, { experiment: this.name }, body);
  }
}
