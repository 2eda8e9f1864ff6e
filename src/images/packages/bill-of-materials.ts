import { z } from "zod";
import { counted } from "../../platform/text.ts";
import type { AttachedBills, Package, PackageList } from "../image.ts";
import type { Distribution } from "./distribution.ts";
import { packageList, createNotes, onlyTheFirst, BOUNDS } from "./package-list.ts";
import { packageOf, readPackageUrl, withEpoch } from "./url-package.ts";

/** Parts of documents that do not fit are as if they were not there. */
const loosely = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const spdxPackage = z.object({
  sourceInfo: loosely(z.string()),
  externalRefs: loosely(z.array(z.object({ referenceType: loosely(z.string()), referenceLocator: loosely(z.string()) }).catch({}))),
});
const spdx = z.object({ spdxVersion: z.string().startsWith("SPDX-2."), packages: z.array(spdxPackage.catch({})) });

const component = z.object({
  type: loosely(z.string()),
  name: loosely(z.string()),
  version: loosely(z.string()),
  purl: loosely(z.string()),
  properties: loosely(z.array(z.object({ name: z.string(), value: z.string() }).catch({ name: "", value: "" }))),
  components: loosely(z.array(z.unknown())),
});
const cycloneDx = z.object({ bomFormat: z.literal("CycloneDX"), components: z.array(z.unknown()).default([]) });

/** What one document says. */
interface Contents {
  packages: { url: string; source: Package["source"] }[];
  distribution: Distribution | undefined;
}

/** The image itself, which its documents name as well. */
const IMAGE = /^pkg:\/*(?:oci|docker)\//i;

/** Reads the packages that documents name; undefined when they name none that can be looked up. */
export function packagesOfBills({ bills, unread }: AttachedBills): PackageList | undefined {
  const notes = createNotes();
  const found: Package[] = [];
  const leftOut = createLeftOut();
  for (const { format, document } of bills) {
    const contents = format === "spdx" ? readSpdx(document) : readCycloneDx(document);
    if (contents === undefined) notes.add("A list of packages that is attached to the image cannot be read.");
    for (const { url: text, source } of contents?.packages ?? []) {
      if (IMAGE.test(text)) continue;
      if (found.length > BOUNDS.packages) {
        notes.add(onlyTheFirst(BOUNDS.packages));
        break;
      }
      const url = readPackageUrl(text);
      const named = url === undefined ? undefined : packageOf(url, contents?.distribution, source);
      if (named === undefined || "leftOut" in named) leftOut.add(text, named?.leftOut);
      else {
        found.push(named.found);
        if (named.note !== null) notes.add(named.note);
      }
    }
  }
  if (found.length === 0) return undefined;
  if (unread > 0)
    notes.add(`${counted(unread, "document")} attached to the image that may list packages ${unread === 1 ? "was" : "were"} not read.`);
  for (const sentence of leftOut.sentences()) notes.add(sentence);
  return packageList("sbom", found, notes, BOUNDS.packages);
}

/** Package URLs that are left out, each counted once for its reason; without one it names no package. */
function createLeftOut() {
  const byReason = new Map<string | undefined, Set<string>>();
  return {
    add(url: string, reason: string | undefined): void {
      byReason.set(reason, (byReason.get(reason) ?? new Set()).add(url));
    },
    /** What most packages are left out for comes first, since only so many sentences are shown. */
    sentences: (): string[] =>
      [...byReason]
        .sort(([, a], [, b]) => b.size - a.size)
        .map(([reason, { size }]) => {
          if (reason !== undefined) return reason.replace(/\.$/, ` (${size}).`);
          return `${counted(size, "package")} of the attached list ${size === 1 ? "says" : "say"} no version and ${size === 1 ? "is" : "are"} left out.`;
        }),
  };
}

function readSpdx(document: unknown): Contents | undefined {
  const read = spdx.safeParse(document);
  if (!read.success) return undefined;
  const packages = read.data.packages.flatMap(({ externalRefs = [], sourceInfo = "" }) => {
    const url = externalRefs.find(({ referenceType }) => referenceType === "purl")?.referenceLocator;
    // As trivy writes it.
    const [, name, version] = /^built package from: (\S+) (\S+)$/.exec(sourceInfo.slice(0, 1000)) ?? [];
    const source = name === undefined || version === undefined ? null : { name, version };
    return url === undefined ? [] : [{ url, source }];
  });
  return { packages, distribution: undefined };
}

function readCycloneDx(document: unknown): Contents | undefined {
  const read = cycloneDx.safeParse(document);
  if (!read.success) return undefined;
  const contents: Contents = { packages: [], distribution: undefined };
  // Components hold components; a stack, since documents may be deep on purpose.
  const waiting = [...read.data.components];
  while (waiting.length > 0) {
    const one = component.safeParse(waiting.pop());
    if (!one.success) continue;
    const { type, name, version = "", purl, properties = [], components = [] } = one.data;
    if (type === "operating-system" && name !== undefined)
      contents.distribution ??= { id: name.toLowerCase(), versionId: version, version: "", cpe: "" };
    if (purl !== undefined) contents.packages.push({ url: purl, source: sourceAmong(properties) });
    for (const inner of components) waiting.push(inner);
  }
  return contents;
}

/** The source package as trivy says it, which its package URLs do not. */
function sourceAmong(properties: readonly { name: string; value: string }[]): Package["source"] {
  const valueOf = (name: string): string => properties.find((each) => each.name === `aquasecurity:trivy:${name}`)?.value ?? "";
  const [name, version, release, epoch] = ["SrcName", "SrcVersion", "SrcRelease", "SrcEpoch"].map(valueOf);
  if (!name || !version) return null;
  return { name, version: withEpoch(release ? `${version}-${release}` : version, epoch) };
}
