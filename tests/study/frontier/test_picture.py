"""The picture of a frontier."""


def test_no_label_of_the_picture_covers_another(far, near):
    for found in (far, near):
        figure = found.plot()
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        texts = [text for text in figure.axes[0].texts if text.get_text()]
        boxes = [text.get_window_extent(renderer) for text in texts]
        for one, box in enumerate(boxes):
            for other in range(one):
                assert not box.overlaps(boxes[other]), (texts[one], texts[other])
        words = " ".join(text.get_text() for text in texts)
        assert "α = 4" in words
        assert "guaranteed" in words or found is near
