// Written by tools/typescript_types.py from the OpenAPI description of the service. Do not edit.

/** A unit's arm; one that is held out has none, or the one that was stated, and no round. */
export interface Allocation {
  unit: string;
  arm: string | null;
  /** 0 if it was served a default, outside the policy. */
  round: number | null;
  seq: number;
  holdout?: boolean;
  stratum?: string | null;
}

/** Allocations in the order in which they were asked for. */
export interface Allocations {
  allocations: Array<Allocation>;
}

/** An amended reward beside the one that the policy was told. */
export interface Amended {
  unit: string;
  arm: string | null;
  reward: number;
  first_reward: number;
  reason: string;
  seq: number;
}

/** A corrected reward, why, and the entry that told the wrong one. */
export interface Amendment {
  reward: number;
  reason: string;
  /** `outcome_seq` of the unit. */
  outcome_seq: number;
}

/** A place to which anchors are sent. */
export interface AnchorTarget {
  target: string;
  /** Experiments whose head is to be sent. */
  waiting: number;
  /** When an anchor was last sent. */
  last_at: string | null;
  failing_since: string | null;
  error: string | null;
}

/** The key that signs, and how each target is doing; no key without a target. */
export interface Anchoring {
  /** Its short name, which anchors carry. */
  key: string | null;
  /** For `steadyarm live verify --public-key`. */
  public_key: string | null;
  targets: Array<AnchorTarget>;
}

/** The arms with their indices. */
export interface Arms {
  experiment: string;
  round: number;
  arms: Array<Record<string, unknown>>;
}

/** An experiment as created; a policy's further parameters may stand beside these. */
export interface Configuration {
  arms: Array<string>;
  /** Rounds, more than arms. */
  horizon: number;
  /** A name that `steadyarm policies` lists, or one that the server was started with; by default a plan chooses. */
  policy?: string | null;
  rewards?: "bernoulli" | "bounded" | "gaussian";
  /** Smallest bounded reward; 0 by default. */
  low?: number | null;
  /** Largest bounded reward; 1 by default. */
  high?: number | null;
  /** M: means lie in [-M, M]. */
  mean_bound?: number | null;
  /** σ; by default 1, or half the range of rewards. */
  noise_scale?: number | null;
  /** SLE-UCB's knob: a larger α buys stability at the cost of regret. */
  alpha?: number | null;
  constants?: "paper" | "sharp" | null;
  beta?: number | null;
  /** Steady's knob: how far an arm's pulls may spread. */
  spread?: number | null;
  /** Of the rounds, given at random, so that probabilities are logged. */
  share?: number | null;
  /** The share of round t is share·t^−share_decay; without it, constant. */
  share_decay?: number | null;
  /** Instead of a policy: one goal of max_sd, max_sd_share, max_regret, max_regret_share, valid_intervals; with guaranteed: true it is proved. */
  plan?: Record<string, number | boolean> | null;
  /** Drawn unless given. */
  seed?: number | null;
  /** The digest of the trial that was planned with `sa.trial`. */
  trial?: string | null;
  /** `after` how long, in seconds or like P14D, silence counts as `reward`; never by default. */
  attribution?: Record<string, number | string> | null;
  /** After each batch of this many units the policy learns from all outcomes known then; 1 by default. */
  batch?: number | null;
  /** The policy learns from an outcome this many units after its own at the earliest; 0 by default. */
  delay?: number | null;
  /** Shares of the rounds by arm, kept in every prefix: `at_least`, `at_most` or `exactly`. */
  traffic?: Record<string, Record<string, number>> | null;
  /** The share of units that get no arm, or with `share` and `arm` a stated one. */
  holdout?: number | Record<string, unknown> | null;
  /** One play each; an allocation names its own. */
  strata?: Array<string> | null;
  /** An experiment that this one succeeds; that one is closed, and no data carries over. */
  continues?: string | null;
  description?: string | null;
  [member: string]: unknown;
}

/** What the journal says of a unit's default. */
export interface Default {
  unit: string;
  arm: string;
  /** The entry that says so. */
  seq: number;
  /** Of that entry: `allocated` if the policy had given the unit this very arm, so that it counts, and `held` if it is held out, with this arm stated. */
  kind: "defaulted" | "allocated" | "held";
}

/** Defaults in the order in which they were told. */
export interface Defaults {
  defaults: Array<Default>;
}

/** The state of an experiment. */
export interface Experiment {
  experiment: string;
  state: "created" | "running" | "paused" | "closed";
  /** The entry that brought the state. */
  state_seq: number;
  /** What leads to another state. */
  moves: Array<"start" | "pause" | "close">;
  configuration: Record<string, unknown>;
  policy: Record<string, unknown>;
  /** What the policy is called. */
  policy_title: string;
  /** What `plan` asks for, in words; null without one. */
  goal: string | null;
  round: number;
  horizon: number;
  rewarded: number;
  /** Of the rewarded: those that wait until the policy is told them, by `batch` and `delay`. */
  untold: number;
  /** Of the rewarded: those by silence. */
  lapsed: number;
  /** Amendments so far. */
  amended: number;
  voided: number;
  /** Units that were served a default, outside the policy. */
  defaulted: number;
  outstanding: number;
  /** Arms that are never given again: since when, and why. */
  retired: Array<Record<string, unknown>>;
  /** Arms that may be retired now. */
  retirable: Array<string>;
  /** Units held out, and what came of them. */
  holdout: Record<string, unknown> | null;
  /** The entry of another journal that this one succeeds. */
  continues: Record<string, unknown> | null;
  seq: number;
  hash: string;
  /** The version of the journal's format. */
  format: number;
  created_at: string;
  notes: Array<string>;
}

/** Experiments by name; one whose journal is damaged has the state "damaged" and a `detail`. */
export interface Experiments {
  experiments: Array<Record<string, unknown>>;
}

/** An evaluated flag (OFREP): the arm of a unit. */
export interface Flag {
  key: string;
  /** Not there for a unit that is held out: the code's default applies. */
  value?: string;
  variant: string;
  reason: "SPLIT" | "DEFAULT";
  metadata: Record<string, number | boolean | string>;
}

/** Whom a flag is evaluated for; the rest of the context is ignored. */
export interface FlagContext {
  /** `targetingKey` is the unit, `stratum` its stratum if there are strata. */
  context: Record<string, unknown>;
}

/** Why a flag could not be evaluated (OFREP). */
export interface FlagFailure {
  key?: string | null;
  errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "FLAG_NOT_FOUND" | "GENERAL";
  errorDetails: string;
}

/** The flags that a unit has been given. */
export interface Flags {
  flags: Array<Flag>;
}

/** HTTPValidationError */
export interface HTTPValidationError {
  detail?: Array<ValidationError>;
}

/** How the service is. */
export interface Health {
  status: string;
}

/** How the allocation came about, where it was predicted to be, and how long rewards have been outstanding. */
export interface History {
  experiment: string;
  seq: number;
  horizon: number;
  rounds: Array<number>;
  arms: Array<Record<string, unknown>>;
  /** Predicted `counts` and their `sd` along `rounds` for each arm; it is so many `deviations` wide on either side, the same that `health` judges by. */
  band: Record<string, unknown>;
  outstanding: Record<string, unknown>;
}

/** Rewards in the order in which they were told. */
export interface ManyRewarded {
  rewards: Array<Rewarded>;
}

/** Which state a call ends, needed only to start a paused experiment; and why. */
export interface Move {
  /** `state_seq` of the experiment. */
  state_seq?: number | null;
  reason?: string | null;
}

/** What to run, what to expect, what is promised, and the frontier around it. */
export interface Plan {
  policy: Record<string, unknown>;
  /** What the policy is called. */
  policy_title: string;
  goal: string;
  guaranteed: boolean;
  /** What the policies of the curve differ by. */
  knob: string;
  setting: number;
  expected: Record<string, number | null>;
  /** The best that is proved of the policy. */
  guarantee: Record<string, unknown> | null;
  /** A guarantee of the expected spread, by closed forms; a search may find a cheaper one. */
  promise: Record<string, unknown> | null;
  /** What can happen at most: no guarantee says more. */
  most: Record<string, number>;
  /** What the share of a cost is a share of. */
  cost_in_words: string;
  half_the_spread: Record<string, number> | null;
  /** What floors and caps cost at least; all other numbers are without them. An experiment has them as `traffic`, by the arms' names. */
  quotas: Record<string, unknown> | null;
  /** No policy of this spread stays below it (Theorem 1′). */
  least_regret: number;
  times_least_regret: number;
  /** How far it is from the best possible, in words. */
  distance: string;
  /** No policy of this regret stays below it (Theorem 1′). */
  least_instability: number | null;
  /** The instances on which it is expected to lose most, and to spread most. */
  worst_instances: Record<string, Record<string, unknown>>;
  /** The plan as a table. */
  rows: Array<Record<string, unknown>>;
  counts: Array<number>;
  sd: Array<number | null>;
  regret: number;
  instability: number | null;
  /** Whether the first-order prediction is to be trusted for the worst instances. */
  trusted: boolean;
  /** Why it is not, for the arms that were asked about; empty if it is. */
  reason: string;
  curve: Array<Record<string, number | null>>;
  excluded: Array<Record<string, number>>;
  alternatives: Array<Record<string, unknown>>;
  notes: Array<string>;
  /** The configuration of an experiment that runs it. */
  experiment: Record<string, unknown>;
  /** The body to post to check it by simulation, unless it is too much to ask. */
  simulation: Record<string, unknown> | null;
}

/** A class of instances, and one goal, an alpha or a policy; or a baseline and what goes with it. */
export interface PlanQuestion {
  /** With a baseline 1,000 at most, as an experiment has. */
  arms: number;
  /** Or `per_day` and `days`, with a baseline. */
  horizon?: number | null;
  /** What arm 0 gives: a rate, or with `sd` a mean. */
  baseline?: number | null;
  /** Of an outcome that is not 0 or 1. */
  sd?: number | null;
  /** The smallest difference from the baseline that matters. */
  smallest_difference?: number | null;
  /** Plausible differences from the baseline; 3 times the smallest either way by default. */
  differences?: Array<number> | null;
  /** Units a day. */
  per_day?: number | null;
  days?: number | null;
  /** How many days until an outcome is known. */
  delay_days?: number | null;
  /** Whether the policy learns once a day. */
  daily?: boolean | null;
  /** With a baseline: Steady with this spread is `chosen`, beside the table. */
  spread?: number | null;
  /** With a baseline: wait until every design was simulated so often, and answer with the table. */
  runs?: number | null;
  /** With `runs`; 0 by default. */
  seed?: number | null;
  rewards?: "bernoulli" | "bounded" | "gaussian" | null;
  low?: number | null;
  high?: number | null;
  mean_bound?: number | null;
  noise_scale?: number | null;
  constants?: "paper" | "sharp" | null;
  alpha?: number | null;
  max_sd?: number | null;
  max_sd_share?: number | null;
  max_regret?: number | null;
  max_regret_share?: number | null;
  valid_intervals?: boolean | null;
  /** Whether a theorem must say that the goal is met. */
  guaranteed?: boolean | null;
  /** Instead of a goal: a policy as a plan has it. */
  policy?: Record<string, unknown> | null;
  /** Arms to predict; by default those that cost most. */
  means?: Array<number> | null;
  /** A floor for each arm, as a share of the rounds; what they cost is in `quotas`. */
  at_least?: Array<number> | null;
  /** A cap for each arm, likewise. */
  at_most?: Array<number> | null;
}

/** An error (RFC 9457); `code` is stable. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
}

/** Why. */
export interface Reason {
  reason: string;
}

/** What the experiment says so far. */
export interface Results {
  experiment: string;
  round: number;
  horizon: number;
  level: number;
  /** `interval` is the narrowest that is valid; `wald`, and `wilson` of 0/1 rewards, take the counts as fixed; `anytime` holds whenever you look. All keep within the range of the rewards. */
  arms: Array<Record<string, unknown>>;
  /** The `method` of `interval`, why in `words`, which of the others is the ordinary one, and what people call that. */
  intervals: Record<string, string>;
  /** Of all pairs, or to `control`, with intervals that hold together, and decisions in words. `p_value` is below 1 − level where the interval leaves out 0, and holds when it does; `anytime_p_value` holds whenever you look; both are for all rows together. */
  differences: Record<string, unknown>;
  /** With a `share` of random rounds: means, and differences from `control`, weighted by the logged probabilities, with an interval for the planned end (`wald`) and one for any time (`anytime`), to first order. */
  weighted: Record<string, unknown> | null;
  /** What the rewards came to, what was lost by not always pulling the best arm, and the best bound, in words where it says more than that no more can be lost. */
  regret: Record<string, unknown>;
  prediction: Record<string, unknown>;
  /** Which checks have raised `alarms`, and each of them in numbers and `words`: `allocation` against the prediction, `outcomes` that are missing or late, `silence` of arms without any, the `ratio` of the arms, `drift` of their means. */
  health: Record<string, unknown>;
  /** Units held out, and the mean of their rewards. */
  holdout: Record<string, unknown> | null;
  notes: Array<string>;
  /** Of each stratum the same; then `arms` above are pooled, with means weighted by the strata's units. */
  strata: Array<Record<string, unknown>>;
}

/** An arm that is never given again, from which entry on and why. */
export interface Retired {
  arm: string;
  seq: number;
  at: string;
  reason: string;
}

/** A reward of the declared kind. */
export interface Reward {
  reward: number;
}

/** A reward as it stands in the journal. */
export interface Rewarded {
  unit: string;
  arm: string | null;
  reward: number;
  seq: number;
}

/** A simulation, its progress from 0 to 1, and its result once done. */
export interface Simulation {
  id: string;
  status: "waiting" | "running" | "done" | "failed" | "cancelled";
  progress: number;
  result: Record<string, unknown> | null;
  /** Of a plan's table, those measured so far, while it runs. */
  rows: Array<Record<string, unknown>>;
  detail: string;
}

/** A policy and an instance as their `to_dict` gives them, or a plan. */
export interface SimulationQuestion {
  policy?: Record<string, unknown> | null;
  instance?: Record<string, unknown> | null;
  /** Instead of both: a question of `POST /v1/plan`. From a baseline its designs are simulated, over a class of rewards the plan on the two instances where it is expected to do worst. */
  plan?: Record<string, unknown> | null;
  /** With a plan from a baseline 200 by default. */
  runs?: number;
  seed?: number;
}

/** A plan from a baseline: all of it with `runs`, what is known before anything is simulated without. Without, `POST /v1/simulations` with `simulation` gives the rest, and tells its progress. */
export interface SituationPlan {
  situation: Record<string, unknown>;
  goal: string;
  /** The plan for the goal, over the range of the situation. */
  by_goal: Record<string, unknown> | null;
  /** Each with its policy, what is predicted, and the configuration of an experiment that runs it. */
  designs: Array<Record<string, unknown>>;
  /** Of the columns of a table of designs. */
  headings: Record<string, string>;
  /** The same for the spread asked for; its `simulation` measures it alone. */
  chosen: Record<string, unknown> | null;
  curve: Array<Record<string, number | null>>;
  excluded: Array<Record<string, number>>;
  equal_shares_at_worst: number;
  quotas: Record<string, unknown> | null;
  notes: Array<string>;
  /** The body to post, unless it is too much to ask. */
  simulation: Record<string, unknown> | null;
  /** For the goal, or that of the recommended design. */
  policy: Record<string, unknown> | null;
  /** A design, and the reason in a sentence. */
  recommendation: Record<string, unknown> | null;
  /** For each design what is lost, how far an arm's traffic spreads, the share of the best arm, how often it is found, the power and the width of the interval. */
  table: Array<Record<string, unknown>> | null;
  /** Of steadyarm. */
  version: string;
}

/** The stratum of a unit, if the experiment has strata. */
export interface Stratum {
  stratum?: string | null;
}

/** What the token of this request may do. */
export interface Token {
  id: string;
  label: string;
  scopes: Array<string>;
  created_at: string;
  /** The only experiment that it is for. */
  experiment: string | null;
  expires_at: string | null;
  /** How journals name it. */
  actor: string;
}

/** A unit with the arm that it was served. */
export interface UnitDefault {
  unit: string;
  arm: string;
  /** Of a new unit, if there are strata. */
  stratum?: string | null;
}

/** Units that were served a default, in this order. */
export interface UnitDefaults {
  defaults: Array<UnitDefault>;
}

/** A unit with its reward. */
export interface UnitReward {
  unit: string;
  reward: number;
}

/** Rewards of units, in this order. */
export interface UnitRewards {
  rewards: Array<UnitReward>;
}

/** Everything about a unit. */
export interface UnitState {
  unit: string;
  arm: string | null;
  round: number | null;
  seq: number;
  at: string;
  outcome: "outstanding" | "rewarded" | "lapsed" | "voided" | "amended" | "defaulted";
  reward: number | null;
  reason: string | null;
  outcome_seq: number | null;
  outcome_at: string | null;
  /** What the policy was told. */
  first_reward: number | null;
  first_seq: number | null;
  /** The entry that the last amendment corrects. */
  amends: number | null;
  /** The default arm that it had while the service was away. */
  served: string | null;
  stratum: string | null;
  holdout: boolean;
}

/** Units to allocate, in this order. */
export interface Units {
  units: Array<string>;
  /** Of all of them, if there are strata. */
  stratum?: string | null;
}

/** ValidationError */
export interface ValidationError {
  loc: Array<string | number>;
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** A journal that is what was written. */
export interface Verified {
  experiment: string;
  entries: number;
  hash: string;
  decisions: number;
  amended: number;
  defaulted: number;
}

/** Why a unit will never report. */
export interface Void {
  reason: string;
}

/** A voided unit as it stands in the journal. */
export interface Voided {
  unit: string;
  arm: string | null;
  reason: string;
  seq: number;
}

export interface Calls {
  "GET /healthz": { body: undefined; answer: Health };
  "GET /readyz": { body: undefined; answer: Health };
  "GET /metrics": { body: undefined; answer: string };
  "GET /v1/experiments": { body: undefined; answer: Experiments };
  "PUT /v1/experiments/{experiment}": { body: Configuration; answer: Experiment };
  "GET /v1/experiments/{experiment}": { body: undefined; answer: Experiment };
  "POST /v1/experiments/{experiment}/start": { body: Move | undefined; answer: Experiment };
  "POST /v1/experiments/{experiment}/pause": { body: Move | undefined; answer: Experiment };
  "POST /v1/experiments/{experiment}/close": { body: Move | undefined; answer: Experiment };
  "POST /v1/experiments/{experiment}/arms/{arm}/retire": { body: Reason; answer: Retired };
  "GET /v1/experiments/{experiment}/arms": { body: undefined; answer: Arms };
  "GET /v1/experiments/{experiment}/results": { body: undefined; answer: Results };
  "GET /v1/experiments/{experiment}/history": { body: undefined; answer: History };
  "GET /v1/token": { body: undefined; answer: Token };
  "PUT /v1/experiments/{experiment}/allocations/{unit}": { body: Stratum | undefined; answer: Allocation };
  "GET /v1/experiments/{experiment}/allocations/{unit}": { body: undefined; answer: UnitState };
  "POST /v1/experiments/{experiment}/allocations": { body: Units; answer: Allocations };
  "PUT /v1/experiments/{experiment}/allocations/{unit}/reward": { body: Reward; answer: Rewarded };
  "POST /v1/experiments/{experiment}/rewards": { body: UnitRewards; answer: ManyRewarded };
  "POST /v1/experiments/{experiment}/allocations/{unit}/amend": { body: Amendment; answer: Amended };
  "POST /v1/experiments/{experiment}/allocations/{unit}/void": { body: Void; answer: Voided };
  "POST /v1/experiments/{experiment}/defaults": { body: UnitDefaults; answer: Defaults };
  "GET /v1/experiments/{experiment}/events": { body: undefined; answer: string };
  "GET /v1/experiments/{experiment}/stream": { body: undefined; answer: string };
  "GET /v1/experiments/{experiment}/verify": { body: undefined; answer: Verified };
  "GET /v1/anchoring": { body: undefined; answer: Anchoring };
  "POST /v1/plan": { body: PlanQuestion; answer: Plan | SituationPlan };
  "POST /v1/simulations": { body: SimulationQuestion; answer: Simulation };
  "GET /v1/simulations/{identity}": { body: undefined; answer: Simulation };
  "DELETE /v1/simulations/{identity}": { body: undefined; answer: Simulation };
  "POST /ofrep/v1/evaluate/flags/{key}": { body: FlagContext; answer: Flag };
  "POST /ofrep/v1/evaluate/flags": { body: FlagContext; answer: Flags };
}

/** Units of one call. */
export const MOST_IN_A_BATCH = 1000;

export type CallName = keyof Calls;
export type Body<C extends CallName> = Calls[C]["body"];
export type Answer<C extends CallName> = Calls[C]["answer"];
