"""Plans on a terminal."""


def test_the_answer_reads_like_a_sentence_and_comes_with_a_picture_and_data(steadyarm, tmp_path):
    done = steadyarm("plan", *f"--arms 2 --horizon 1e9 --max-sd-share 0.01 --out {tmp_path}".split())
    assert "Goal: a standard deviation of at most" in done.out
    assert "Run Steady with spread =" in done.out
    assert "least possible at this spread (Theorem 1′)" in done.out
    assert "more than the least that any policy of this spread loses" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "plan.json",
        "plan.pdf",
        "plan.png",
        "plan.svg",
    ]


def test_small_amounts_keep_their_digits_and_means_are_rounded(steadyarm):
    quiet = "--mean-bound .001 --noise-scale .001"
    done = steadyarm("plan", *f"--arms 2 --horizon 1000 {quiet} --max-sd 20".split())
    rows = {line.split(",")[0].strip(): line.split() for line in done.out.splitlines() if "," in line}
    assert 0.2 < float(rows["expected"][-3]) < 0.25
    done = steadyarm("plan", *["--arms", "10", "--horizon", "20", "--max-sd", "4"])
    assert "means 1, -1 (9 arms) lose most" in done.out
