"""A maze of characters: dig it, solve it, draw it.

A maze is a set of open cells on a grid of odd width and odd height. A cell is a (row, column) pair. The walls are
whatever is not open. Rooms lie at odd rows and odd columns; the cells between two rooms are doors or walls.

    python maze.py 10 30 7          a maze of 10 by 30 rooms, dug with seed 7, and the way through it
"""

import sys
from collections import deque
from collections.abc import Iterator
from random import Random

Cell = tuple[int, int]  # (row, column), from the upper left
Maze = frozenset[Cell]  # the open cells

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)

WALL = "#"
OPEN = " "
TRAIL = "."


def step(cell: Cell, direction: Cell, length: int = 1) -> Cell:
    """The cell some steps away.

    >>> step((3, 5), LEFT, 2)
    (3, 3)
    """
    row, column = cell
    down, right = direction
    return row + length * down, column + length * right


def rooms(rows: int, columns: int) -> Iterator[Cell]:
    """Every room, row by row.

    >>> list(rooms(1, 3))
    [(1, 1), (1, 3), (1, 5)]
    """
    for row in range(rows):
        for column in range(columns):
            yield 2 * row + 1, 2 * column + 1


def dig(rows: int, columns: int, seed: int = 0) -> Maze:
    """A maze in which exactly one way leads from any room to any other.

    Walk from room to room at random, open every door on the way, and go back where no room is left to walk to.

    >>> maze = dig(4, 6, seed=1)
    >>> len(maze) == 4 * 6 + (4 * 6 - 1)  # all the rooms, and one door fewer
    True
    """
    if rows < 1 or columns < 1:
        raise ValueError(f"a maze has at least one row and one column, got {rows} and {columns}")
    random = Random(seed)
    closed = set(rooms(rows, columns))
    here = (1, 1)
    closed.remove(here)
    opened = {here}
    trail = [here]
    while trail:
        here = trail[-1]
        choices = [direction for direction in DIRECTIONS if step(here, direction, 2) in closed]
        if not choices:
            trail.pop()
            continue
        direction = random.choice(choices)
        door, room = step(here, direction), step(here, direction, 2)
        closed.remove(room)
        opened.update((door, room))
        trail.append(room)
    return frozenset(opened)


def neighbours(maze: Maze, cell: Cell) -> Iterator[Cell]:
    """The open cells beside a cell."""
    for direction in DIRECTIONS:
        neighbour = step(cell, direction)
        if neighbour in maze:
            yield neighbour


def solve(maze: Maze, start: Cell, goal: Cell) -> list[Cell]:
    """The shortest way from start to goal, both included; empty if there is none.

    >>> solve(frozenset({(1, 1), (1, 2), (1, 3)}), (1, 1), (1, 3))
    [(1, 1), (1, 2), (1, 3)]
    >>> solve(frozenset({(1, 1), (1, 3)}), (1, 1), (1, 3))
    []
    """
    came_from: dict[Cell, Cell] = {start: start}
    waiting = deque([start])
    while waiting and goal not in came_from:
        here = waiting.popleft()
        for neighbour in neighbours(maze, here):
            if neighbour not in came_from:
                came_from[neighbour] = here
                waiting.append(neighbour)
    if goal not in came_from:
        return []
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def dead_ends(maze: Maze) -> list[Cell]:
    """The cells with a single neighbour, from top to bottom.

    >>> dead_ends(frozenset({(1, 1), (1, 2), (1, 3)}))
    [(1, 1), (1, 3)]
    """
    return sorted(cell for cell in maze if len(list(neighbours(maze, cell))) == 1)


def draw(maze: Maze, way: list[Cell] | None = None) -> str:
    """The maze as lines of text, with the way marked.

    >>> print(draw(dig(2, 3, seed=4), [(1, 1)]))
    #######
    #.#   #
    # # # #
    #   # #
    #######
    """
    marked = set(way or ())
    height = max(row for row, _ in maze) + 2
    width = max(column for _, column in maze) + 2

    def character(cell: Cell) -> str:
        if cell in marked:
            return TRAIL
        return OPEN if cell in maze else WALL

    return "\n".join("".join(character((row, column)) for column in range(width)) for row in range(height))


def read(drawing: str) -> Maze:
    """The maze that a drawing shows: the inverse of draw.

    >>> maze = dig(5, 5, seed=3)
    >>> read(draw(maze)) == maze
    True
    """
    return frozenset(
        (row, column)
        for row, line in enumerate(drawing.splitlines())
        for column, character in enumerate(line)
        if character != WALL
    )


def report(maze: Maze, way: list[Cell]) -> str:
    """A line about how hard the maze is.

    >>> maze = dig(1, 3)
    >>> report(maze, solve(maze, (1, 1), (1, 5)))
    '5 open cells, 2 dead ends, 4 steps from start to goal'
    """
    return f"{len(maze)} open cells, {len(dead_ends(maze))} dead ends, {max(len(way) - 1, 0)} steps from start to goal"


def main(arguments: list[str]) -> int:
    """Dig a maze of the size asked for, and write it with its solution."""
    numbers = [*arguments, *("8", "24", "0")[len(arguments) :]]
    try:
        rows, columns, seed = map(int, numbers)
        maze = dig(rows, columns, seed)
    except ValueError as error:
        sys.stderr.write(f"usage: python maze.py ROWS COLUMNS SEED ({error})\n")
        return 2
    way = solve(maze, (1, 1), (2 * rows - 1, 2 * columns - 1))
    sys.stdout.write(draw(maze, way) + "\n" + report(maze, way) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
