"""Labels beside points: which point a label belongs to can be seen."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.study.plotting.labels import Label, place_labels


def test_a_label_is_nearest_to_its_own_point():
    figure = Figure(figsize=(8.0, 6.0), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xlim=(0.0, 100.0), ylim=(0.0, 100.0))
    places = [(48.0, 80.0), (49.2, 80.8), (20.0, 30.0), (21.0, 29.0), (20.4, 31.0)]
    for at in places:
        axes.plot(*at, "D", markersize=4.5)
    labels = [
        Label((x,) * 3, (y,) * 3, f"policy {number}", "#000000", False)
        for number, (x, y) in enumerate(places)
    ]
    place_labels(axes, labels)
    pixels = axes.transData.transform(places)
    for text in axes.texts:
        box = text.get_window_extent()
        away = np.hypot(*(pixels - np.clip(pixels, [box.x0, box.y0], [box.x1, box.y1])).T)
        assert away[int(text.get_text().split()[1])] <= away.min() + 1.5, text.get_text()
