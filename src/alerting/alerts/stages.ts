import type { Occasion, Target } from "../vocabulary.ts";
import type { Holder, KeptAlert } from "./alert.ts";
import type { StageName, VerdictName } from "./api.ts";
import { FLAPPING, type Flap } from "./flapping.ts";

/** What the stages may ask of the world, as it is when the path is walked. */
export interface Circumstances {
  now: Date;
  /** False until the program knows what runs. */
  settled: boolean;
  maintaining(alert: KeptAlert): { title: string; until: Date } | undefined;
  silencing(alert: KeptAlert): { id: number; reason: string; until: Date } | undefined;
  /** What is down of that which it depends on. */
  outage(alert: KeptAlert): { name: string; why: string; since: Date } | undefined;
  flap: Flap | undefined;
  route(alert: KeptAlert): Target[];
  /** Names that its label asks for and no channel has. */
  unknownChannels(alert: KeptAlert): string[];
  /** Names of disabled channels that would get it. */
  disabledChannels(alert: KeptAlert): string[];
  /** Channels that heard that it began and want to hear that it is over. */
  told: readonly number[];
  channelName(id: number): string;
}

export interface Walk {
  alert: KeptAlert;
  occasion: Occasion;
  /** Chosen by routing; empty before. */
  targets: readonly Target[];
}

export interface Verdict {
  verdict: VerdictName;
  /** In words, for a person who asks why. */
  text: string;
  /** What holds it back; with `held` alone. */
  heldBy?: Holder;
  targets?: readonly Target[];
}

/** One step of the path. No verdict: it has no say on this occasion. */
export interface Stage {
  name: StageName;
  judge(walk: Walk, circumstances: Circumstances): Verdict | undefined;
}

/** The path of every alert to the people, in order. */
export const PATH: readonly Stage[] = [
  {
    name: "settle",
    judge({ occasion }, { settled }) {
      if (occasion === "resolved") return undefined;
      if (settled) return passed("The program knows what runs.");
      return held("settle", "The program has just started and first takes stock of what runs.");
    },
  },
  {
    name: "maintenance",
    judge({ alert, occasion }, { maintaining }) {
      if (occasion === "resolved") return undefined;
      const window = maintaining(alert);
      if (window === undefined) return passed("No maintenance covers it.");
      return held("maintenance", `Maintenance "${window.title}" covers it until ${timeText(window.until)}.`);
    },
  },
  {
    name: "dependency",
    judge({ alert, occasion }, { outage }) {
      if (occasion === "resolved") return undefined;
      const parent = outage(alert);
      if (parent === undefined) return passed("Nothing that it depends on is known to be down.");
      return held("dependency", `It depends on ${parent.name}, which ${parent.why} since ${timeText(parent.since)}.`);
    },
  },
  {
    name: "silence",
    judge({ alert, occasion }, { silencing }) {
      if (occasion === "resolved") return undefined;
      const silence = silencing(alert);
      if (silence === undefined) return passed("No silence matches it.");
      return held("silence", `Silence ${silence.id} ("${silence.reason}") covers it until ${timeText(silence.until)}.`);
    },
  },
  {
    name: "flapping",
    judge({ alert, occasion }, { flap }) {
      if (flap === undefined || !flap.flapping) return undefined;
      // Nobody waits for the end of what nobody was told of.
      if (occasion === "resolved" && alert.routedAt === null) return undefined;
      if (!flap.told) return passed(`It comes and goes: ${oftenText()}. This is told once, then it is quiet until it is steady.`);
      return held(
        "flapping",
        `It comes and goes, and that was told. Quiet until it has been steady for ${minutes(FLAPPING.windowMs)} minutes.`,
      );
    },
  },
  {
    name: "routing",
    judge({ alert, occasion }, { route, unknownChannels, disabledChannels, told, channelName }) {
      if (occasion === "resolved") {
        if (alert.routedAt === null) return stopped("Nobody was told that it began, so nobody is told that it is over.");
        if (told.length === 0) return stopped("No channel that was told that it began wants to hear that it is over.");
        const targets = told.map((channelId) => ({ channelId, notifyOnResolve: true, because: "it was told that the alert began" }));
        return { ...passed(`Told that it began: ${named(targets, channelName)}.`), targets };
      }
      const targets = route(alert);
      const unknown = unknownChannels(alert).map((name) => ` Its label names "${name}", which is no channel.`);
      const disabled = disabledChannels(alert).map((name) => `"${name}"`);
      if (targets.length === 0 && disabled.length > 0)
        return stopped(`All channels that are named for it are disabled: ${disabled.join(", ")}.${unknown.join("")}`);
      if (targets.length === 0) return stopped(`No rule, trigger or label names a channel for it.${unknown.join("")}`);
      const left = disabled.length === 0 ? "" : ` Not to ${disabled.join(", ")}: disabled.`;
      const ways = targets.map((target) => `${quoted(target, channelName)} (${target.because})`).join(", ");
      return { ...passed(`To ${ways}.${left}${unknown.join("")}`), targets };
    },
  },
  {
    name: "dedup",
    judge({ alert, occasion }) {
      if (occasion === "resolved") return undefined;
      if (alert.told) return stopped("It was told already, and is not worse than then.");
      if (occasion === "released" && alert.acknowledgedBy !== null)
        return stopped(`${alert.acknowledgedBy} took it on before anybody was told.`);
      return passed(occasion === "raised" && alert.routedAt !== null ? "It is worse than when it was told." : "It was not told yet.");
    },
  },
  {
    name: "deliver",
    judge: ({ targets }, { channelName }) =>
      passed(
        `${targets.length === 1 ? "A delivery was" : `${targets.length} deliveries were`} written for ${named(targets, channelName)}.`,
      ),
  },
];

export interface WalkResult {
  verdicts: readonly { stage: StageName; verdict: VerdictName; text: string }[];
  heldBy: Holder | null;
  /** To whom it goes; empty where a stage held or stopped it. */
  targets: readonly Target[];
}

/** Walks the path until a stage does not let it pass. */
export function walkPath(walk: Omit<Walk, "targets">, circumstances: Circumstances, path: readonly Stage[] = PATH): WalkResult {
  const verdicts: WalkResult["verdicts"][number][] = [];
  let targets: readonly Target[] = [];
  for (const { name, judge } of path) {
    const said = judge({ ...walk, targets }, circumstances);
    if (said === undefined) continue;
    verdicts.push({ stage: name, verdict: said.verdict, text: said.text });
    if (said.verdict !== "passed") return { verdicts, heldBy: said.heldBy ?? null, targets: [] };
    targets = said.targets ?? targets;
  }
  return { verdicts, heldBy: null, targets };
}

/** What is said with the one message about a problem that flaps. */
export function flappingText(): string {
  return `It comes and goes (${oftenText()}): nothing more is told until it has been steady for ${minutes(FLAPPING.windowMs)} minutes.`;
}

function oftenText(): string {
  return `more than ${FLAPPING.changes} changes within ${minutes(FLAPPING.windowMs)} minutes`;
}

function passed(text: string): Verdict {
  return { verdict: "passed", text };
}

function stopped(text: string): Verdict {
  return { verdict: "stopped", text };
}

function held(heldBy: Holder, text: string): Verdict {
  return { verdict: "held", text, heldBy };
}

function named(targets: readonly Target[], channelName: Circumstances["channelName"]): string {
  return targets.map((target) => quoted(target, channelName)).join(", ");
}

function quoted({ channelId }: Target, channelName: Circumstances["channelName"]): string {
  return `"${channelName(channelId)}"`;
}

function minutes(milliseconds: number): number {
  return milliseconds / 60_000;
}

/** `2026-03-01 12:00:00 UTC`. */
function timeText(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
