"""Docstrings of classes that share parameters and attributes: each is described once, in a base class."""

import inspect
import re


def documented(cls):
    """Adds to the docstring of a class the parameters and attributes that only its bases describe.

    The nearest description counts. Parameters come in the order of the signature, attributes of the class before those of
    its bases. Bases of other packages have no say.
    """
    if cls.__doc__ is None:
        return cls  # Python has been told to forget docstrings.
    package = __name__.partition(".")[0]
    homes = [_sections(base) for base in cls.__mro__ if base.__module__.partition(".")[0] == package]
    summary, own = homes[0]
    parameters, attributes = (_described(homes, title) for title in ("Parameters", "Attributes"))
    # What is described and not there stays, so that a check can find it.
    names = [*inspect.signature(cls).parameters, *_described(homes[:1], "Parameters")]
    sections = {
        "Parameters": "\n".join(parameters[name] for name in dict.fromkeys(names) if name in parameters),
        "Attributes": "\n".join(attributes.values()),
        **{title: body for title, body in own.items() if title not in ("Parameters", "Attributes")},
    }
    written = [f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items() if body]
    cls.__doc__ = "\n\n".join([summary, *written]) + "\n"
    return cls


def _sections(cls):
    """What stands before the first heading of a class's own docstring, and the text under each heading."""
    text = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    summary, *rest = re.split(r"^(\w[\w ]*)\n-{3,}\n", text, flags=re.MULTILINE)
    return summary.strip(), {title: body.strip() for title, body in zip(rest[::2], rest[1::2])}


def _described(homes, title):
    """The descriptions under a heading by the names that they begin with; of several the first."""
    found = {}
    for _, sections in homes:
        for entry in re.split(r"\n(?=\S)", sections.get(title, "")):
            if entry:
                found.setdefault(entry.split()[0], entry)
    return found
