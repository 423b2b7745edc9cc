"""What is wrong with a file, as Python's own exceptions with their numbers."""

import errno
import os
import subprocess
import sys

import pytest

import mercer

MODEL = mercer.SVC().fit([[0.0], [1.0]], [0, 1])
NAMES = ["x.mercer", "x.json", "x.model"]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there(name, tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        mercer.load(tmp_path / name)
    assert type(raised.value) is FileNotFoundError and raised.value.errno == errno.ENOENT
    assert raised.value.filename == str(tmp_path / name)
    with pytest.raises(FileNotFoundError) as raised:
        MODEL.save(tmp_path / "nowhere" / name)
    assert type(raised.value) is FileNotFoundError and raised.value.errno == errno.ENOENT


@pytest.mark.parametrize("name", NAMES)
def test_a_folder(name, tmp_path):
    (tmp_path / name).mkdir()
    with pytest.raises(IsADirectoryError) as raised:
        mercer.load(tmp_path / name)
    assert type(raised.value) is IsADirectoryError and raised.value.errno == errno.EISDIR
    with pytest.raises(IsADirectoryError) as raised:
        MODEL.save(tmp_path / name)
    assert type(raised.value) is IsADirectoryError and raised.value.errno == errno.EISDIR


# All that it imports is imported before the child becomes another user, who may not reach the installation.
ASKING = """
import os, sys, tempfile
import mercer
model = mercer.SVC().fit([[0.0], [1.0]], [0, 1])
with tempfile.TemporaryDirectory() as folder:
    model.save(os.path.join(folder, os.path.basename(sys.argv[2])))
    mercer.load(os.path.join(folder, os.path.basename(sys.argv[2])))
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for act in (lambda: mercer.load(sys.argv[1]), lambda: model.save(sys.argv[2])):
    try:
        act()
    except OSError as error:
        print(type(error).__name__, error.errno, error.filename)
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of Unix")
@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_may_not_be_opened(name, tmp_path):
    MODEL.save(tmp_path / name)
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / name).chmod(0)
    closed.chmod(0o555)
    # A user who may do everything is another one in the child, who may reach the folder but for the last step.
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == os.geteuid() and str(folder).startswith(str(tmp_path.parents[2])):
            folder.chmod(folder.stat().st_mode | 0o055)
    given = [str(tmp_path / name), str(closed / name)]
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", ASKING, *given], check=True, capture_output=True, text=True)
    load, save = found.stdout.splitlines()
    assert load == f"PermissionError {errno.EACCES} {given[0]}"
    assert save.startswith(f"PermissionError {errno.EACCES} ")
