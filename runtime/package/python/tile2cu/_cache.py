"""A cache of folders, each made once for all processes, which may be deleted at any time.

A folder's name has the digest of everything that its files are made of, and it appears by one rename, when it is complete. So
there is no state to keep: a folder that is there is right, and one that is missing is made.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import time
import uuid

ATTEMPTS = 5  # to make something while its inputs change, or while the cache is deleted


class Deleted(Exception):
    """Something of the cache has gone while it was in use."""


def digest(*parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def digest_of(path):
    """Of the file's contents; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def digests(paths):
    return {path: digest_of(path) for path in sorted(set(paths))}


def read_list(path):
    """The list in a JSON file; None if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def write_list(path, values):
    """Replaces the file at once. That it cannot be written only costs time later."""
    new = f"{path}.{uuid.uuid4().hex}"
    try:
        with open(new, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=1)
        os.replace(new, path)
    except FileNotFoundError:
        pass


@contextlib.contextmanager
def locked(path):
    """One process and thread at a time. The system releases the lock of a process that ends, however it ends."""
    file = None
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        file = open(path, "w", encoding="utf-8")
        fcntl.flock(file, fcntl.LOCK_EX)
    except (FileNotFoundError, BlockingIOError):
        pass
    except OSError as error:  # Some network file systems have no locks; then the same thing may be made twice.
        if file is None:
            raise RuntimeError(
                f"cannot write to the cache: {error}; TILE2CU_TORCH_CACHE names another folder"
            ) from error
    try:
        yield
    finally:
        if file is not None:
            file.close()


@contextlib.contextmanager
def temporary(cache):
    """A new folder in the cache. Raises Deleted if it goes while it is in use."""
    _sweep(cache)
    folder = os.path.join(cache, f"new-{uuid.uuid4().hex}")
    os.makedirs(folder)
    try:
        yield folder
    except Exception as error:
        if not os.path.isdir(folder):
            raise Deleted(folder) from error
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(cache):
    """Removes what processes that were killed have left more than a day ago."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(cache):
            if entry.name.startswith("new-") and entry.stat().st_mtime < time.time() - 86400:
                shutil.rmtree(entry.path, ignore_errors=True)


def is_complete(folder, names):
    """Whether the folder has these files. A folder that has lost some is taken away."""
    if all(os.path.isfile(os.path.join(folder, name)) for name in names):
        return True
    if os.path.isdir(folder):
        aside = os.path.join(os.path.dirname(folder), f"new-{uuid.uuid4().hex}")
        with contextlib.suppress(OSError):
            os.rename(folder, aside)
            shutil.rmtree(aside, ignore_errors=True)
    return False


def publish(new, folder, names):
    """Gives a complete folder its name. If another process was faster, its folder stays."""
    try:
        os.rename(new, folder)
    except OSError as error:
        if not is_complete(folder, names):
            raise Deleted(folder) from error
