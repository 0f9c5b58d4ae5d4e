"""All claims, one line each, in the order in which they are numbered: those of the paper, then those beyond it."""

from steadyarm.study.verify.claims import (
    concentration,
    definitions,
    every_width,
    frontier,
    guarantees,
    index,
    lower_bound,
    offline,
    optimum,
    padding,
    perturbation,
    tilts,
)
from steadyarm.study.verify.claims.base import Claim

CLAIMS: tuple[Claim, ...] = (
    Claim(1, "Definitions 1, 2", "regret and instability", definitions.definitions),
    Claim(2, "Algorithm 1", "SLE-UCB plays Algorithm 1, ties included", definitions.algorithm_1),
    Claim(3, "eq. index_gap", "I(n₁) − I(n₂) ≥ λ·log(n₂/n₁)", index.index_gap),
    Claim(4, "Lemma clipping_bias", "clipping moves a mean by at most σ(KT)⁻⁶", concentration.clipping_bias),
    Claim(5, "Lemma clipped_concentration", "P(Gᶜ) ≤ 2(KT)⁻⁷", concentration.concentration),
    Claim(6, "eq. gap_per_pull", "a pulled arm's gap ≤ 3β/(2√N) + λ·log(T/N)", index.gap_per_pull),
    Claim(7, "Theorem 2, regret", "R ≤ min{2MT, (5 + α·log 2K)β√(KT)}", guarantees.regret_guarantee),
    Claim(8, "Lemma online_offline_equivalence", "online greedy = offline top-prefix", offline.equivalence),
    Claim(9, "Term (⋆)", "the priority moves a count by at most 1", offline.priority_moves_one),
    Claim(10, "eq. recent_minimizer_chain_new", "s(n) ≥ n/9", index.recent_minimizer),
    Claim(
        11,
        "eq. index_perturbation_bound_new",
        "|I′(n) − I(n)| ≤ 9|Y′ − Y|/n",
        perturbation.index_perturbation,
    ),
    Claim(12, "eq. pull_count_unchanged", "a reward never read moves nothing", perturbation.unread_reward),
    Claim(
        13,
        "eq. count_change_on_good_event_new",
        "one reward moves a count by ≤ 1 + 9|Y′ − Y|/λ",
        perturbation.count_change,
    ),
    Claim(14, "Lemma efron_stein_new", "Var N ≤ ½ Σ E(N − N′)²", perturbation.efron_stein_inequality),
    Claim(15, "eq. var:decomp", "Var N = Var_ω(E_Y N) + E_ω(Var_Y N)", offline.total_variance),
    Claim(16, "Theorem 2, instability", "S ≤ 2√T + 18√2·σT/(αβ√K)", guarantees.instability_guarantee),
    Claim(17, "eq. tunable_tilde_summary", "R·S = O(T^1.5·log K)", guarantees.product),
    Claim(18, "Section main_theorem", "α ranges up to O(√(T/K)/(log K·log KT))", guarantees.tuning),
    Claim(19, "Theorem 1", "R ≤ MT/8 ⇒ R·S ≥ C·T^1.5, by 1′ c_K·σT^1.5", lower_bound.product_lower),
    Claim(
        20,
        "eq. finite_time_lower_bound_k_arm",
        "S ≥ 3e^(−1/4)/(256√2)·T/(1 + R/(σ√T))",
        lower_bound.finite_time,
    ),
    Claim(
        21,
        "eqs. delta_chain_definition – telescoping_drop",
        "KL ≤ ½, Σ|ΔG| ≥ 3T/8, and no faster fall",
        lower_bound.chain_facts,
    ),
    Claim(
        22,
        "Lemma aggregate_pull_count_comparison",
        "max S of two neighbours ≥ e^(−1/4)/(4√2)·|ΔG|",
        lower_bound.comparison,
    ),
    Claim(23, "eq. standard_minimax_lower_bound", "R ≥ min{σ/8, M/4}·√(KT)", lower_bound.minimax),
    Claim(24, "Remark fixed_k_reduction", "padding: R_B ≤ R_A, S_B ≤ S_A + ½", padding.padding),
    Claim(25, "Figure 1", "along α regret rises and instability falls", frontier.frontier),
    Claim(26, "Figure 2", "online 2 → 1 → 3 → 1 → 2, offline the same", definitions.figure_2),
    Claim(27, "Theorem 1′, local form", "|dE N/dτ| ≤ sd(N)·√information", optimum.local_form),
    Claim(28, "Theorem 1′", "R is at least the least regret at S", optimum.no_policy_below),
    Claim(29, "Theorem R", "R ≤ Theorem R, for every β and λ", every_width.regret_for_every_width),
    Claim(
        30,
        "Theorems B, C′, E2",
        "S ≤ Theorems B, C′, E2, for every β and λ",
        every_width.instability_for_every_width,
    ),
    Claim(31, "beyond the paper", "Steady: spread as asked, R ≤ 1.1 × the least", tilts.steady),
    Claim(32, "beyond the paper", "stabilizer alone: R·S = ½·W((K−1)/e)·σT^1.5", tilts.stabilizer_alone),
    Claim(33, "Theorem 1′, minimax", "R ≥ W((K − 1)/e)·σ√T", optimum.least_minimax),
)

ABOUT_CHAINS = (19, 20, 21, 22)
ABOUT_EVERY_POLICY = (*ABOUT_CHAINS, 23, 27, 28, 33)
