"""svg.py FILE - the marks of a drawing in SVG, a line each, without its text.

COLOUR [WIDTH [dashed]] : PATH; of long paths, as of maps, how long they are
and a hash.
"""
import hashlib
import re
import sys
import xml.etree.ElementTree as tree

NAMES = {"ffffff": "white", "1e1e24": "black", "262a38": "slate",
         "dee0e4": "light-grey", "8c8c8c": "grey", "e69f00": "orange",
         "56b4e9": "sky-blue", "009e73": "green", "f0e442": "yellow",
         "0072b2": "blue", "d55e00": "vermillion", "cc79a7": "purple",
         "be1e2d": "red"}


def colour(style, what):
    share = re.findall(r"([\d.]+)%", style.get(what, ""))
    name = "".join(f"{round(float(v) * 2.55):02x}" for v in share)
    opacity = float(style.get(what + "-opacity", 1))
    return (NAMES.get(name, "#" + name) +
            (f"@{opacity:.2g}" if opacity < 1 else ""))


def marks(element):
    for e in element:
        tag = e.tag.split("}")[1]
        if tag == "path":
            style = dict(pair.split(":", 1) for pair in
                         e.get("style").replace(" ", "").split(";") if pair)
            line = style.get("stroke", "none") != "none"
            text = colour(style, "stroke" if line else "fill")
            if line:
                text += f" {float(style['stroke-width']):.4g}"
                if style.get("stroke-dasharray", "none") != "none":
                    text += " dashed"
            path = re.sub(r"-?\d+\.\d+",
                          lambda m: f"{float(m[0]) + 0:.4g}", e.get("d"))
            if len(path) > 5000:
                path = (f"{len(path.split())} words " +
                        hashlib.md5(path.encode()).hexdigest())
            print(text, ":", path.strip())
        elif tag != "defs":
            marks(e)


marks(tree.parse(sys.argv[1]).getroot())
