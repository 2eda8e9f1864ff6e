import type { LanguagePackage } from "./npm.ts";

/** Reads METADATA of a `.dist-info` or PKG-INFO of an `.egg-info`: fields up to the first empty line. Source: core metadata specifications. */
export function readPythonMetadata(text: string): LanguagePackage | undefined {
  const [head = ""] = text.split(/\r?\n\r?\n/, 1);
  const [, name] = /^Name:[ \t]*(\S+)[ \t]*\r?$/im.exec(head) ?? [];
  const [, version] = /^Version:[ \t]*(\S+)[ \t]*\r?$/im.exec(head) ?? [];
  return name === undefined || version === undefined ? undefined : { ecosystem: "PyPI", name: normalizedPythonName(name), version };
}

/** Source: PEP 503, "Normalized Names". */
export function normalizedPythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
