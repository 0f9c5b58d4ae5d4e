"""Labels beside points, without overlaps: the nearest free place around each, a thin line if it is far.

adjustText lets labels cover points and bars, and textalloc does not know texts that are there already.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.study.plotting.style import letter_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_DISTANCES = (9.0, 14.0, 20.0, 28.0, 38.0, 50.0, 64.0, 80.0, 100.0, 125.0, 150.0, 180.0, 220.0)  # in points
_ANGLES = tuple(
    np.deg2rad([0, 180, 90, 270, 35, 145, 325, 215, 60, 120, 300, 240, 15, 165, 345, 195, 75, 105, 285, 255])
)
_CLEAR = 5.0  # pixels around points, bars and texts that labels keep off
_NEAR = 60.0  # pixels between points that are in each other's way
_FAR = 14.0  # points; from here on a line leads to the label


class Label(NamedTuple):
    """What stands beside a point: the point with the ends of its error bars, and the text."""

    x: tuple[float, float, float]  # low end, value, high end
    y: tuple[float, float, float]
    text: str
    colour: str
    bold: bool


class Scene:
    """What labels keep off, in pixels: boxes (x0, y0, x1, y1) of texts and of marks, and lines; and the points."""

    def __init__(self, points: Floats) -> None:
        self.points = points
        self.texts = np.empty((0, 4))
        self.marks = np.empty((0, 4))  # points and error bars
        self.lines = np.empty((0, 4))  # both ends
        self.steps = np.empty((0, 2))  # places along the lines,
        self.starts = np.empty(0, dtype=int)  # and where those of each line begin

    def add_text(self, box: Floats) -> None:
        """Keep off a text."""
        self.texts = np.vstack([self.texts, box])

    def add_mark(self, one: Floats, other: Floats) -> None:
        """Keep off a point or a bar between two ends."""
        self.marks = np.vstack([self.marks, _box(one, other)])

    def add_line(self, one: Floats, other: Floats) -> None:
        """Keep off a line between two ends."""
        self.lines = np.vstack([self.lines, np.concatenate([one, other])])
        self.starts = np.append(self.starts, len(self.steps))
        self.steps = np.vstack([self.steps, _way(one, other)])


def place_labels(axes: Axes, labels: list[Label]) -> None:
    """Write the labels into axes whose limits and size are settled.

    Every label stays inside the axes and takes the near place that covers and crosses the least: other texts
    above all, then points, error bars and curves, then the lines that lead to other labels.
    """
    from steadyarm.study.plotting.figure import figure_of, renderer_of

    renderer = renderer_of(axes)
    per_point = figure_of(axes).dpi / 72.0
    frame = axes.get_window_extent(renderer)
    to_pixels = axes.transData.transform
    points = np.array([to_pixels((label.x[1], label.y[1])) for label in labels])
    scene = Scene(points)
    for written in axes.texts:
        scene.add_text(np.array(written.get_window_extent(renderer).extents))
    for label, point in zip(labels, points, strict=True):
        scene.add_mark(point, point)
        scene.add_mark(to_pixels((label.x[0], label.y[1])), to_pixels((label.x[2], label.y[1])))
        scene.add_mark(to_pixels((label.x[1], label.y[0])), to_pixels((label.x[1], label.y[2])))
    for curve in (line for line in axes.lines if len(line.get_xdata()) > 2):  # type: ignore[arg-type]
        along = curve.get_xydata()
        for one, other in pairwise(to_pixels(along[:: max(1, len(along) // 20)])):  # type: ignore[index, arg-type]
            scene.add_line(one, other)
    neighbours = (np.abs(points[:, None] - points[None]).max(axis=2) < _NEAR).sum(axis=1)
    for place in sorted(range(len(labels)), key=lambda one: (not labels[one].bold, -neighbours[one])):
        label, point = labels[place], points[place]
        text = axes.annotate(
            label.text,
            (label.x[1], label.y[1]),
            (0.0, 0.0),
            textcoords="offset points",
            color=_darker(label.colour),
            fontweight="bold" if label.bold else "normal",
            fontsize=letter_size(10.5 if label.bold else 9.5),
            va="center",
            zorder=5,
        )
        text.set_in_layout(False)  # or one that is wider than its axes would squeeze them
        extent = text.get_window_extent(renderer)
        size = np.array([extent.width, extent.height])
        corner, distance = _best_place(point, size, per_point, frame, scene)
        scene.add_text(_box(corner, corner + size))
        text.set_position(tuple((corner + np.array([0.0, size[1] / 2.0]) - point) / per_point))
        if distance >= _FAR:
            nearest = np.clip(point, corner, corner + size)
            ends = axes.transData.inverted().transform([point, nearest])
            axes.plot(*ends.T, color=label.colour, linewidth=0.7, zorder=2)
            scene.add_line(point, nearest)


def _best_place(
    point: Floats, size: Floats, per_point: float, frame: Any, scene: Scene
) -> tuple[Floats, float]:
    """Return the corner of the cheapest place for a box beside a point, and its distance in points."""
    best: tuple[float, float, Floats] = (np.inf, 0.0, np.minimum(point, [frame.x1, frame.y1] - size))
    for distance in _DISTANCES:
        if distance / 10.0 >= best[0]:
            break  # distance alone costs more
        for angle in _ANGLES:
            towards = np.array([np.cos(angle), np.sin(angle)])
            # The box touches the ray's end with the side or corner that faces the point.
            anchor = (1.0 - np.sign(np.round(towards, 6))) / 2.0
            corner = point + towards * distance * per_point - anchor * size
            far = corner + size
            if corner[0] < frame.x0 or corner[1] < frame.y0 or far[0] > frame.x1 or far[1] > frame.y1:
                continue
            cost = distance / 10.0 + _cost(point, corner, far, distance >= _FAR, scene)
            if cost < best[0]:
                best = (cost, distance, corner)
    return best[2], best[1]


def _cost(point: Floats, corner: Floats, far: Floats, led: bool, scene: Scene) -> float:
    cost = 100.0 * _overlaps(corner, far, scene.texts) + 20.0 * _overlaps(corner, far, scene.marks)
    if len(scene.lines):
        covered = ((corner <= scene.steps) & (scene.steps <= far)).all(axis=1)
        cost += 25.0 * int(np.logical_or.reduceat(covered, scene.starts).sum())
    # Beside a point that is nearer than its own, a label seems to be that one's.
    strays = np.hypot(*(scene.points - np.clip(scene.points, corner, far)).T)
    nearer = int((strays < np.hypot(*(point - np.clip(point, corner, far))) - 1.0).sum())
    cost += (1.5 if led else 6.0) * nearer
    if led:
        end = np.clip(point, corner, far)
        way = _way(point, end)
        others = scene.marks[~_hold(scene.marks, point[None])]
        cost += 50.0 * int(_hold(scene.texts, way).sum()) + 4.0 * int(_hold(others, way).sum())
        cost += 4.0 * int(_crossed(point, end, scene.lines).sum())
    return float(cost)


def _overlaps(corner: Floats, far: Floats, boxes: Floats) -> int:
    """Return how many boxes a box overlaps."""
    return int(((corner < boxes[:, 2:]) & (boxes[:, :2] < far)).all(axis=1).sum())


def _hold(boxes: Floats, places: Floats) -> Bools:
    """Return which boxes hold one of the places."""
    inside = (boxes[:, None, :2] <= places) & (places <= boxes[:, None, 2:])
    held: Bools = np.logical_or.reduce(np.logical_and.reduce(inside, axis=2), axis=1)
    return held


def _crossed(a: Floats, b: Floats, lines: Floats) -> Bools:
    """Return which lines a line from a to b meets."""
    c, d = lines[:, :2], lines[:, 2:]
    return (_side(a, b, c) * _side(a, b, d) < 0.0) & (_side(c, d, a) * _side(c, d, b) < 0.0)


def _side(one: Floats, other: Floats, third: Floats) -> Floats:
    along, across = other - one, third - one
    return along[..., 0] * across[..., 1] - along[..., 1] * across[..., 0]


def _box(one: Floats, other: Floats) -> Floats:
    return np.concatenate([np.minimum(one, other) - _CLEAR, np.maximum(one, other) + _CLEAR])


def _way(one: Floats, other: Floats) -> Floats:
    """Points on a line, about one every five pixels."""
    steps = max(2, int(np.hypot(*(other - one)) / 5.0))
    return one + (other - one) * np.linspace(0.0, 1.0, steps)[:, None]


def _darker(colour: str) -> tuple[float, float, float]:
    """Return a text colour that stands out from white."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return 0.75 * red, 0.75 * green, 0.75 * blue
