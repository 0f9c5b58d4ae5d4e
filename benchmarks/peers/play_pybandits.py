"""pybandits, as its README says: predict, then update, here one sample at a time. Thompson sampling on 0 and 1."""

from instance import ARMS, drawn_coins, report
from pybandits.model import Beta
from pybandits.smab import SmabBernoulli

rewards = drawn_coins()
number_of = {f"a{arm}": arm for arm in ARMS}


def play(rounds):
    smab = SmabBernoulli(actions={name: Beta() for name in number_of})
    for number in range(rounds):
        actions, _ = smab.predict(n_samples=1)
        smab.update(actions=actions, rewards=[rewards[number_of[actions[0]]][number]])


report(play)
