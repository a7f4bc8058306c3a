"""Random expressions that move elements: a part of Expressions (expressions.py)."""

import dataclasses

import values as v
from values import I32, Value


def list_of(numbers):
    return ", ".join(map(str, numbers))


class Moves:
    """Makes values whose elements stood elsewhere in another tile."""

    def make_movement(self, scope, shape, depth):
        """One of the movements below."""
        rng = self.rng
        moves = [self.move_reshape, self.move_flip, self.move_slice, self.move_stretch, self.move_gather, self.move_scatter, self.move_sort, self.move_argsort,
                 self.move_histogram, self.move_extract, self.move_insert]
        if len(shape) > 1:
            moves += [self.move_permute, self.move_permute, self.move_expand, self.move_unit]
        moves += [self.move_cat, self.move_pair]
        return rng.choice(moves)(scope, shape, depth)

    def move_reshape(self, scope, shape, depth):
        """reshape or ravel of a tile of the same size."""
        size = Value("", I32, shape).size()
        others = [s for s in self.palette.shapes if s != shape and Value("", I32, s).size() == size]
        known = [x.value for x in scope.variables if x.value.shape and x.value.shape != shape and x.value.size() == size]
        if known and self.rng.random() < 0.6:
            x = self.rng.choice(known)
        elif others and self.rng.random() < 0.7:
            x = self.tile(scope, self.rng.choice(others), depth)
        elif size % 2 == 0:
            x = self.tile(scope, self.rng.choice([(2, size // 2), (size // 2, 2), (size,)]), depth)
        else:
            x = self.tile(scope, (size,), depth)
        if len(shape) == 1 and self.rng.random() < 0.3:
            return dataclasses.replace(x, text=f"ravel({x.text})", shape=shape)
        return dataclasses.replace(x, text=f"reshape<{list_of(shape)}>({x.text})", shape=shape)

    def move_flip(self, scope, shape, depth):
        """A tile with the elements along one axis in the opposite order."""
        x = self.tile(scope, shape, depth)
        axis = self.rng.randrange(len(shape))
        return dataclasses.replace(x, text=f"flip<{axis}>({x.text})")

    def move_gather(self, scope, shape, depth):
        """Elements of a tile that may have another extent along the axis, by a computed index."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        extent = rng.choice([shape[axis], 1, 2, 5, 16])
        source = shape[:axis] + (extent,) + shape[axis + 1 :]
        if Value("", I32, source).size() > 1024:
            return None
        x = self.tile(scope, source, depth)
        return dataclasses.replace(x, text=f"gather<{axis}>({x.text}, {self.index_below(scope, shape, extent, depth)})", shape=shape)

    def move_histogram(self, scope, shape, depth):
        """How often the elements of a tile are each number, maybe with weights."""
        rng = self.rng
        if len(shape) != 1:
            return None
        source = rng.choice(self.palette.shapes)
        x = v.whole(self.tile(scope, source, depth))
        count = x.size()
        index = x.text if x.type.kind != "b" else f"cast<int>({x.text})"
        if rng.random() < 0.5:
            return Value(f"histogram<{shape[0]}>({index})", I32, shape, 0, count)
        weights = v.to_range(self.tile(scope, source, max(depth - 1, 0)), I32, 100)
        return Value(f"bincount<{shape[0]}>({index}, {weights.text})", I32, shape, -100 * count, 100 * count)

    def move_sort(self, scope, shape, depth):
        """A sorted tile, or the largest elements of a larger one."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        x = self.tile(scope, shape, depth)
        return dataclasses.replace(x, text=f"sort<{axis}>({x.text}{rng.choice(['', ', descending'])})")

    def move_argsort(self, scope, shape, depth):
        """Where the elements of a sorted tile were, or the largest ones."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        more = shape[axis] + rng.choice([0, 1, 3])
        source = shape[:axis] + (more,) + shape[axis + 1 :]
        # Others may be NaN here and another number there, by rounding.
        x = self.tile(scope, source, depth)
        if not x.exact:
            x = v.smaller(x)
        if more == shape[axis] and rng.random() < 0.6:
            return Value(f"argsort<{axis}>({x.text}{rng.choice(['', ', descending'])})", I32, shape, 0, more - 1)
        which = rng.choice(["v0", "v1"])
        text = f"topk<{shape[axis]}, {axis}>({x.text}).{which}"
        return dataclasses.replace(x, text=text, shape=shape) if which == "v0" else Value(text, I32, shape, 0, more - 1)

    def index_below(self, scope, shape, extent, depth):
        """The text of a tile of integers from 0 to extent - 1."""
        index = v.smaller(v.whole(self.tile(scope, shape, min(depth, 1))), 1000)
        text = index.text if index.type is I32 else f"cast<int>({index.text})"
        return f"(({text} % {extent} + {extent}) % {extent})"

    def move_scatter(self, scope, shape, depth):
        """A tile with some elements replaced by those of another one, each index once."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        count = rng.randrange(1, shape[axis] + 1) if rng.random() < 0.7 else shape[axis]
        part = shape[:axis] + (count,) + shape[axis + 1 :]
        x = self.tile(scope, shape, depth)
        y = v.to_range(self.tile(scope, part, max(depth - 1, 0)), x.type, 100)
        first = rng.randrange(shape[axis])
        index = f"((iota<{axis}, {list_of(part)}>() + {first}) % {shape[axis]})"
        text = f"scatter<{axis}>({x.text}, {index}, {y.text})"
        return dataclasses.replace(x, text=text, lo=min(x.lo, y.lo), hi=max(x.hi, y.hi))

    def starts(self, scope, shape, part):
        """Indices at which a part of this shape begins, for each dimension: numbers, or scalars of the program."""
        rng = self.rng
        texts = []
        for extent, taken in zip(shape, part):
            choices = extent - taken + 1
            if rng.random() < 0.3:
                texts.append(str(rng.randrange(choices)))
            else:
                texts.append(self.index_below(scope, (), choices, 1))
        return ", ".join(texts)

    def element(self, scope, depth):
        """An element of a tile, a scalar."""
        x = self.tile(scope, self.rng.choice(self.palette.shapes), depth)
        at = self.starts(scope, x.shape, (1,) * len(x.shape))
        return dataclasses.replace(x, text=f"extract({x.text}, {at})", shape=())

    def move_extract(self, scope, shape, depth):
        """A part of a larger tile from an index on; None if that would be too large."""
        rng = self.rng
        source = tuple(extent + rng.choice([0, 0, 1, extent, 3]) for extent in shape)
        if Value("", I32, source).size() > 1024:
            return None
        x = self.tile(scope, source, depth)
        return dataclasses.replace(x, text=f"extract<{list_of(shape)}>({x.text}, {self.starts(scope, source, shape)})", shape=shape)

    def move_insert(self, scope, shape, depth):
        """A tile with an element or a part replaced."""
        rng = self.rng
        x = self.tile(scope, shape, depth)
        is_element = rng.random() < 0.4
        part = tuple(1 if is_element else rng.choice([extent, 1, rng.randrange(1, extent + 1)]) for extent in shape)
        y = self.scalar(scope, 1) if is_element else self.tile(scope, part, max(depth - 1, 0))
        y = v.to_range(y, x.type, 100)
        text = f"insert({x.text}, {y.text}, {self.starts(scope, shape, part)})"
        return dataclasses.replace(x, text=text, lo=min(x.lo, y.lo), hi=max(x.hi, y.hi), exact=x.exact and y.exact)

    def move_slice(self, scope, shape, depth):
        """A part of a larger tile; None if that would be too large."""
        axis = self.rng.randrange(len(shape))
        extent = shape[axis]
        larger = extent * 2 if self.rng.random() < 0.7 else extent + 3
        if Value("", I32, shape).size() // extent * larger > 512:
            return None
        first = self.rng.randrange(larger - extent + 1)
        x = self.tile(scope, shape[:axis] + (larger,) + shape[axis + 1 :], depth)
        subscripts = ["all"] * axis + [f"slice<{first}, {first + extent}>"] + ["all"] * (len(shape) - axis - 1)
        return dataclasses.replace(x, text=f"{x.text}[{', '.join(subscripts)}]", shape=shape)

    def move_stretch(self, scope, shape, depth):
        """broadcast_to of a tile with some extents of one element."""
        part = tuple(1 if self.rng.random() < 0.5 else extent for extent in shape)
        x = self.tile(scope, part, depth)
        return dataclasses.replace(x, text=f"broadcast_to<{list_of(shape)}>({x.text})", shape=shape)

    def move_permute(self, scope, shape, depth):
        """A transposed or permuted tile."""
        if len(shape) == 2:
            x = self.tile(scope, shape[::-1], depth)
            return dataclasses.replace(x, text=f"trans({x.text})", shape=shape)
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        source = [0] * len(shape)
        for k, p in enumerate(order):
            source[p] = shape[k]
        x = self.tile(scope, tuple(source), depth)
        return dataclasses.replace(x, text=f"permute<{list_of(order)}>({x.text})", shape=shape)

    def move_unit(self, scope, shape, depth):
        """A permuted block, mostly a loaded one, without its dimension of one element."""
        if len(shape) > 4:
            return None
        rng = self.rng
        whole = list(shape)
        whole.insert(rng.randrange(len(shape) + 1), 1)
        order = list(range(len(whole)))
        rng.shuffle(order)
        source = [0] * len(whole)
        for k, p in enumerate(order):
            source[p] = whole[k]
        x = rng.random() < 0.7 and self.make_load(scope, tuple(source), 0) or self.tile(scope, tuple(source), depth)
        text = f"reshape<{list_of(shape)}>(permute<{list_of(order)}>({x.text}))"
        return dataclasses.replace(x, text=text, shape=shape)

    def move_expand(self, scope, shape, depth):
        """A tile of one dimension less, stretched along the new one."""
        axis = self.rng.randrange(len(shape))
        x = self.tile(scope, shape[:axis] + shape[axis + 1 :], depth)
        subscripts = ["all"] * len(shape)
        subscripts[axis] = "none"
        text = f"{x.text}[{', '.join(subscripts)}]"
        if self.rng.random() < 0.3:
            text = f"expand_dims<{axis}>({x.text})"
        return dataclasses.replace(x, text=f"broadcast_to<{list_of(shape)}>({text})", shape=shape)

    def move_cat(self, scope, shape, depth):
        """Two tiles one after the other along an axis; None if there is no room for two."""
        axis = self.rng.randrange(len(shape))
        if shape[axis] < 2:
            return None
        first = shape[axis] // 2 if self.rng.random() < 0.7 else self.rng.randrange(1, shape[axis])
        parts = [shape[:axis] + (e,) + shape[axis + 1 :] for e in (first, shape[axis] - first)]
        a, b = (self.tile(scope, part, depth) for part in parts)
        type_ = v.promoted(a.type, b.type)
        return self.pair(a, b, type_, shape, f"cat<{axis}>")

    def move_pair(self, scope, shape, depth):
        """join or interleave, or one half of a split."""
        rng = self.rng
        if rng.random() < 0.4 and Value("", I32, shape).size() <= 256 and len(shape) < 8:
            x = self.tile(scope, (*shape, 2), depth)
            one, other = scope.kernel.name("h"), scope.kernel.name("h")
            scope.write(f"auto [{one}, {other}] = split({x.text});")
            x = dataclasses.replace(x, shape=shape)
            scope.add(x.named(one))
            return scope.add(x.named(other))
        if shape[-1] == 2 and len(shape) > 1 and rng.random() < 0.7:
            parts, name = shape[:-1], "join"
        elif shape[-1] % 2 == 0:
            parts, name = (*shape[:-1], shape[-1] // 2), "interleave"
        else:
            return None
        a, b = self.tile(scope, parts, depth), self.tile(scope, parts, depth)
        return self.pair(a, b, v.promoted(a.type, b.type), shape, name)

    @staticmethod
    def pair(a, b, type_, shape, name):
        """`name` of two tiles, which are converted to the same type first."""
        if type_.kind == "f" and (a.type is not type_ or b.type is not type_):
            a, b = (x if x.type is type_ else v.cast(x, type_) for x in (a, b))
        a, b = (x if x.type is type_ else v.cast(x, type_) for x in (a, b))
        exact = a.exact and b.exact
        return Value(f"{name}({a.text}, {b.text})", type_, shape, min(a.lo, b.lo), max(a.hi, b.hi), exact)
