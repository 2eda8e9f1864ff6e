import { type ImageReference, type PlatformImage, RegistryError, type ImageReaders, type Version } from "../../images/index.ts";
import type { UpdateSettings } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";
import { type Available, type Choice, type Content, type KnownImage, runsContent } from "./known-image.ts";
import { type AskedContainer, type Question, runningOf } from "./questions.ts";

/** Tags that are tried until one of them is for the platform. */
const CHOICES_TRIED = 3;
/** Contents that are fetched for one image to compare what different containers of it run. */
const CONTENTS_FETCHED = 8;
const SOURCE_LABEL = "org.opencontainers.image.source";
const LONGEST_URL = 1000;

export interface CheckParts {
  readers: Pick<ImageReaders, "registries" | "rules">;
  question: Question<AskedContainer>;
  before: KnownImage | undefined;
  at: { scanId: string; now: number };
  signal: AbortSignal;
}

/**
 * Asks a registry about one image. Where nothing changed since the last check that is one request for its own tag, or one for all tags and one for
 * the tag it would take: all else is remembered. Throws a RegistryError, and the signal's reason.
 */
export async function checkImage({ readers: { registries, rules }, question, before, at, signal }: CheckParts): Promise<KnownImage> {
  const { reference, platform, wanted } = question;
  const contents: KnownImage["contents"] = {};
  let fetched = 0;

  const image = (version: Version): Promise<PlatformImage> => registries.image(reference, version, platform, signal);

  function contentOf({ digest, configDigest }: PlatformImage): Content {
    return { platformDigest: digest, configDigest };
  }

  async function findContent(digest: string): Promise<Content | null> {
    const remembered = contents[digest] ?? before?.contents[digest];
    const known = remembered === undefined ? await orNull(image({ digest }), contentOf) : remembered;
    if (remembered === undefined) fetched += 1;
    contents[digest] = known;
    return known;
  }

  /** What a tag stands for; what was known of the same content before needs no request. */
  async function standsFor(tag: string, firstSeen: (digest: string) => number | undefined): Promise<Available> {
    const digest = await registries.digestOf(reference, { tag }, signal);
    const content = before?.contents[digest];
    if (content !== undefined) contents[digest] = content;
    const { described = false, publishedAt = null, sourceUrl = null } = rememberedOf(before, digest) ?? {};
    return { tag, digest, described, publishedAt, sourceUrl, seenAt: firstSeen(digest) ?? at.now };
  }

  /** Only of what is shown as an update: nothing else costs a request. */
  async function describe(available: Available): Promise<Available> {
    if (available.described) return available;
    const found = await image({ digest: available.digest });
    contents[available.digest] = contentOf(found);
    const config = await orNull(registries.config(found, signal), (read) => read);
    const source = config?.labels[SOURCE_LABEL] ?? found.annotations[SOURCE_LABEL];
    return {
      ...available,
      described: true,
      publishedAt: config?.createdAt?.getTime() ?? null,
      sourceUrl: source === undefined ? null : cleanName(withoutCredentials(source), LONGEST_URL) || null,
    };
  }

  /** When a tag was first offered, whichever labels chose it: a changed label makes no version new. */
  function firstOffered(tag: string): number | undefined {
    const offered = Object.values(before?.choices ?? {}).flatMap(({ newer }) =>
      newer?.available.tag === tag ? [newer.available.seenAt] : [],
    );
    return offered.length === 0 ? undefined : Math.min(...offered);
  }

  async function newerFor(tags: readonly string[], settings: UpdateSettings): Promise<Choice["newer"]> {
    for (const choice of await rules.choose(reference.tag ?? "latest", tags, settings, { most: CHOICES_TRIED, signal })) {
      try {
        const available = await standsFor(choice.tag, () => firstOffered(choice.tag));
        return { ...choice, available: await describe(available) };
      } catch (error) {
        // A tag that is gone meanwhile, or is not made for this platform: the one before it may be.
        if (!isAbsent(error)) throw error;
      }
    }
    return null;
  }

  async function compareContents(digest: string): Promise<boolean> {
    let differs = false;
    for (const running of runningOf(question)) {
      const same = (): boolean | undefined => runsContent(running, digest, contents);
      if (same() === undefined && fetched < CONTENTS_FETCHED) await findContent(digest);
      if (same() === undefined && running.imageDigest !== null && fetched < CONTENTS_FETCHED) await findContent(running.imageDigest);
      if (same() === false) differs = true;
    }
    return differs;
  }

  const asked = [...wanted].filter(([, { plan }]) => plan.skippedReason === null);
  const { tags, complete } = asked.some(([, { plan }]) => plan.mode === "semver")
    ? await registries.tags(reference, signal)
    : { tags: [], complete: true };
  const choices: KnownImage["choices"] = {};
  for (const [key, { settings, plan }] of wanted)
    choices[key] = { plan, newer: plan.skippedReason === null && plan.mode === "semver" ? await newerFor(tags, settings) : null };
  let remote: Available | null = null;
  if (asked.some(([key]) => choices[key]?.newer === null)) {
    const known = before?.remote;
    // The same tag with another content is news again.
    remote = await standsFor(reference.tag ?? "latest", (digest) => (known?.digest === digest ? known.seenAt : undefined));
    if (await compareContents(remote.digest)) remote = await describe(remote);
  }
  const gone = remote !== null && contents[remote.digest] === null;
  const note = gone
    ? question.platform === null
      ? "Its host does not say for which platform its image was made. If a socket proxy stands before the engine, allow /images/{id}/json."
      : "The image under its tag is not made for its platform any more."
    : complete
      ? null
      : `Only ${tags.length} of its registry's tags were read, which are too many: a newer one may be among the others.`;
  return { reference, remote, contents, choices, scanId: at.scanId, checkedAt: at.now, error: null, note };
}

function rememberedOf(before: KnownImage | undefined, digest: string): Available | undefined {
  if (before === undefined) return undefined;
  const all = [before.remote, ...Object.values(before.choices).map(({ newer }) => newer?.available)];
  return all.find((available) => available?.digest === digest && available.described) ?? undefined;
}

/** Builds write the address that they cloned from, and at times with the token that they did it with. */
function withoutCredentials(source: string): string {
  return source.replace(/^((?:git\+)?https?:\/\/)[^/?#]*@/i, "$1");
}

function isAbsent(error: unknown): boolean {
  return error instanceof RegistryError && error.reason === "not_found";
}

async function orNull<From, To>(asked: Promise<From>, read: (found: From) => To): Promise<To | null> {
  try {
    return read(await asked);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** What is known of an image that could not be asked about: what was known before, and why nothing new is. */
export function unanswered(
  { reference, wanted }: { reference: ImageReference | null; wanted: Question["wanted"] },
  before: KnownImage | undefined,
  { scanId, now, error, note }: { scanId: string; now: number; error: string | null; note: string | null },
): KnownImage {
  const choices: KnownImage["choices"] = {};
  for (const [key, { plan }] of wanted) {
    const known = before?.choices[key];
    if (plan.skippedReason !== null || known !== undefined) choices[key] = { plan, newer: known?.newer ?? null };
  }
  return {
    reference,
    remote: before?.remote ?? null,
    contents: before?.contents ?? {},
    choices,
    scanId,
    checkedAt: now,
    error,
    note,
  };
}
