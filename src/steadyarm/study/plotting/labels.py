"""Labels beside points, without overlaps: the nearest free place around each, a thin line if it is far.

adjustText lets labels cover points and bars, and textalloc does not know texts that are there already.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


class Scene(NamedTuple):
    """What labels keep off, in pixels: texts, marks (points and bars), lines as pairs of ends; and the points."""

    texts: list[Any]
    marks: list[Any]
    lines: list[tuple[Any, Any]]
    points: Any


def place_labels(axes: Axes, labels: list[Label]) -> None:
    """Write the labels into axes whose limits and size are settled.

    Every label stays inside the axes and takes the near place that covers and crosses the least: other texts
    above all, then points, error bars and curves, then the lines that lead to other labels.
    """
    renderer = axes.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    per_point = axes.figure.dpi / 72.0
    frame = axes.get_window_extent(renderer)
    to_pixels = axes.transData.transform
    points = np.array([to_pixels((label.x[1], label.y[1])) for label in labels])
    scene = Scene([text.get_window_extent(renderer) for text in axes.texts], [], [], points)
    for label, point in zip(labels, points, strict=True):
        scene.marks.append(_box(point, point))
        scene.marks.append(_box(to_pixels((label.x[0], label.y[1])), to_pixels((label.x[2], label.y[1]))))
        scene.marks.append(_box(to_pixels((label.x[1], label.y[0])), to_pixels((label.x[1], label.y[2]))))
    for curve in (line for line in axes.lines if len(line.get_xdata()) > 2):  # type: ignore[arg-type]
        along = curve.get_xydata()
        scene.lines.extend(pairwise(to_pixels(along[:: max(1, len(along) // 20)])))  # type: ignore[index, arg-type]
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
            fontsize=10.5 if label.bold else 9.5,
            va="center",
            zorder=5,
        )
        extent = text.get_window_extent(renderer)
        size = np.array([extent.width, extent.height])
        corner, distance = _best_place(point, size, per_point, frame, scene)
        scene.texts.append(_box(corner, corner + size))
        text.set_position(tuple((corner + np.array([0.0, size[1] / 2.0]) - point) / per_point))
        if distance >= _FAR:
            nearest = np.clip(point, corner, corner + size)
            ends = axes.transData.inverted().transform([point, nearest])
            axes.plot(*ends.T, color=label.colour, linewidth=0.7, zorder=2)
            scene.lines.append((point, nearest))


def _best_place(point: Any, size: Any, per_point: float, frame: Any, scene: Scene) -> tuple[Any, float]:
    """Return the corner of the cheapest place for a box beside a point, and its distance in points."""
    best: tuple[float, float, Any] = (np.inf, 0.0, np.minimum(point, [frame.x1, frame.y1] - size))
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


def _cost(point: Any, corner: Any, far: Any, led: bool, scene: Scene) -> float:
    box = _box(corner, far, 0.0)
    cost: float = 100.0 * box.count_overlaps(scene.texts) + 20.0 * box.count_overlaps(scene.marks)
    cost += 10.0 * sum(any(box.contains(*step) for step in _way(*line)) for line in scene.lines)
    # Beside a point that is nearer than its own, a label seems to be that one's.
    strays = np.hypot(*(scene.points - np.clip(scene.points, corner, far)).T)
    nearer = int((strays < np.hypot(*(point - np.clip(point, corner, far))) - 1.0).sum())
    cost += (1.5 if led else 6.0) * nearer
    if led:
        end = np.clip(point, corner, far)
        way = _way(point, end)
        others = [mark for mark in scene.marks if not mark.contains(*point)]
        cost += 50.0 * sum(any(text.contains(*step) for step in way) for text in scene.texts)
        cost += 4.0 * sum(any(mark.contains(*step) for step in way) for mark in others)
        cost += 4.0 * sum(_cross(point, end, *line) for line in scene.lines)
    return cost


def _cross(a: Any, b: Any, c: Any, d: Any) -> bool:
    """Whether two lines meet."""

    def side(one: Any, other: Any, third: Any) -> float:
        along, across = other - one, third - one
        return float(along[0] * across[1] - along[1] * across[0])

    return side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0


def _box(one: Any, other: Any, clear: float = _CLEAR) -> Any:
    from matplotlib.transforms import Bbox

    return Bbox([np.minimum(one, other) - clear, np.maximum(one, other) + clear])


def _way(one: Any, other: Any) -> list[Any]:
    """Points on a line, about one a few pixels."""
    steps = max(2, int(np.hypot(*(other - one)) / 5.0))
    return [one + (other - one) * share for share in np.linspace(0.0, 1.0, steps)]


def _darker(colour: str) -> tuple[float, float, float]:
    """Return a text colour that stands out from white."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return 0.75 * red, 0.75 * green, 0.75 * blue
