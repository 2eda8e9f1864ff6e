import {
  type Changelog,
  type ImageReference,
  type PackageList,
  parsePlatform,
  type PlatformImage,
  RegistryError,
  type ImageReaders,
  type VulnerabilityList,
} from "../../images/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { ecosystemOfConfig } from "../security/index.ts";
import { changelogRecord, compareVulnerabilities, type EnrichmentDetails, type Outline } from "./enrichment.ts";
import type { Available } from "./known-image.ts";

/** Capabilities of editions; each stands alone. */
export interface Grants {
  cves: boolean;
  risk: boolean;
  changelog: boolean;
}

/** What runs in containers, against what it could become. */
export interface Case {
  key: string;
  reference: ImageReference;
  platform: string | null;
  digest: string | null;
  available: Available | null;
}

interface StudyParts {
  granted: Grants;
  readers: ImageReaders;
  now(): Date;
  signal: AbortSignal;
}

const NOTHING_READ: PackageList = { source: null, packages: [], complete: false, note: null };

/** What is known of the image that runs against the one that is available, as far as the edition goes. */
export async function studyImage(each: Case, parts: StudyParts): Promise<{ outline: Outline; details: EnrichmentDetails }> {
  const { granted, readers, signal } = parts;
  const wantsCves = granted.cves || granted.risk;
  const running = wantsCves && each.digest !== null ? await imageOf(each, each.digest, readers, signal) : undefined;
  const config = running?.image && (await readers.registries.config(running.image, signal).catch(passRegistryError));
  const found = wantsCves ? await vulnerabilitiesOf(each, running, parts) : undefined;
  const changelog = granted.changelog ? await changelogOf(each, readers, signal) : undefined;
  const outline: Outline = {
    cves: found?.cves ?? null,
    builtAt: config?.createdAt?.getTime() ?? null,
    ecosystem: config ? ecosystemOfConfig(config) : undefined,
    changelogUrl: granted.changelog && changelog?.isPassing !== true ? (changelog?.url ?? null) : undefined,
  };
  const details = {
    vulnerabilities: found?.vulnerabilities ?? [],
    changelog: changelog === undefined ? null : changelogRecord(changelog),
  };
  return { outline, details };
}

async function vulnerabilitiesOf(each: Case, running: FoundImage | undefined, parts: StudyParts) {
  const here = await readImage(running ?? { image: undefined, note: "Its host knows no digest of a registry for it." }, parts);
  const available = each.available && (await imageOf(each, each.available.digest, parts.readers, parts.signal));
  const there = available ? await readImage(available, parts) : undefined;
  return compareVulnerabilities({ packages: here.packages, running: here.list, available: there });
}

async function readImage(
  { image, note }: FoundImage,
  { readers, now, signal }: StudyParts,
): Promise<{ packages: PackageList; list: VulnerabilityList }> {
  if (image === undefined)
    return { packages: { ...NOTHING_READ, note }, list: { known: false, vulnerabilities: [], note: null, checkedAt: now() } };
  const packages = await readers.packages.packagesOf(image, signal);
  return { packages, list: await readers.vulnerabilities.find(packages, signal) };
}

async function changelogOf(
  { available, reference }: Case,
  { changelogs }: ImageReaders,
  signal: AbortSignal,
): Promise<Changelog | undefined> {
  if (available === null) return undefined;
  return changelogs.between({ sourceUrl: available.sourceUrl, currentTag: reference.tag, availableTag: available.tag }, signal);
}

interface FoundImage {
  image: PlatformImage | undefined;
  /** Why it was not found. */
  note: string | null;
}

/** The image that a digest stands for; the note says when its registry does not have it, or does not answer. */
async function imageOf(
  { reference, platform }: Case,
  digest: string,
  { registries }: ImageReaders,
  signal: AbortSignal,
): Promise<FoundImage> {
  try {
    return { image: await registries.image(reference, { digest }, parsePlatform(platform), signal), note: null };
  } catch (error) {
    passRegistryError(error);
    return { image: undefined, note: `The image could not be read from its registry: ${messageOf(error)}` };
  }
}

function passRegistryError(error: unknown): undefined {
  if (!(error instanceof RegistryError)) throw error;
}
