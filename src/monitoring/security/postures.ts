import { SECURITY_BOUNDS } from "../../contract/security.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import { hostOf } from "./acknowledgment.ts";
import type { ContainerPostureQuery, PostureQuery } from "./api.ts";
import type { ContainerPostureDetail, ContainerPostureList, Posture, StepRecord } from "./answers.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { categoriesOf, type Counting, gainOf, gradeOf, lossesOf, meanOf, type Score, scoreOf } from "./posture.ts";
import { categoryRecord, containerPostureRecord, distributionOf, stepRecord } from "./records.ts";
import { type Assessment, type Finding, openFindings, type Register } from "./register.ts";
import { insightsOfContainer, whyNotAssessed } from "./service.ts";
import type { HostPosture } from "./posture-watch.ts";
import { isQuestion, type NewerImage, type Step, stepsOf } from "./steps.ts";
import type { PostureDay, SecurityStore } from "./store.ts";

/** What is known against the updates of a container, by severity; undefined: nothing is known of them. */
export type UpdatesOf = (containerId: number) => Counting["updates"];
/** What a container could run instead; undefined: nothing, or nothing that anybody wants. */
export type NewerImageOf = (containerId: number) => NewerImage | undefined;

/** As many containers are named that pull a host down. */
const NAMED_WORST = 3;

/** What can be asked of how safe things stand. */
export interface Postures {
  overall(query: PostureQuery): Promise<Posture>;
  /** The worst first. */
  list(query: ContainerPostureQuery): ContainerPostureList;
  /** Throws `not_found`. */
  ofContainer(id: number): Promise<ContainerPostureDetail>;
}

/** A container with its score, and what that is made of. */
interface Standing {
  container: SavedContainer;
  score: Score;
  open: readonly Finding[];
  acknowledged: number;
  updates: Counting["updates"];
}

export interface PosturesParts {
  register: Register;
  containers: Pick<Containers, "service">;
  history: PostureHistory;
  updatesOf: UpdatesOf;
  newerImageOf: NewerImageOf;
  ecosystemOf: (container: SavedContainer) => Ecosystem | null;
  clock: Clock;
}

export function createPostures({ register, containers, history, updatesOf, newerImageOf, ecosystemOf, clock }: PosturesParts): Postures {
  return {
    async overall({ agent_id: host, days }) {
      const now = clock.now();
      const standings = standingsOf(register, updatesOf, host);
      const score = scoreOfAll(standings);
      const past = await history.days(host, days, now);
      const today = dayOf(host ?? "all", standings, now);
      return {
        score: score === undefined ? null : Math.round(score),
        grade: score === undefined ? null : gradeOf(score),
        categories: categoriesOf(standings.map(({ score: own }) => own)).map(categoryRecord),
        severity_distribution: distributionOf(standings.flatMap(({ open }) => open)),
        acknowledged: standings.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
        containers: standings.length,
        ranking: worstOf(standings, SECURITY_BOUNDS.ranking).map(containerPostureRecord),
        next_steps: stepsOfAll(standings, newerImageOf),
        history: [...past.filter(({ day }) => day !== today?.day), ...(today === undefined ? [] : [today])].map(
          ({ host: _, day, ...counts }) => ({
            date: day,
            ...counts,
          }),
        ),
        computed_at: now.toISOString(),
      };
    },

    list({ agent_id: host, limit, offset }) {
      const standings = standingsOf(register, updatesOf, host).toSorted(compareStandings);
      const shown = standings.slice(offset, offset + limit);
      return {
        containers: shown.map(containerPostureRecord),
        total: standings.length,
        has_more: offset + shown.length < standings.length,
      };
    },

    async ofContainer(id) {
      const container = await containers.service.find(id);
      const assessment = register.get(id);
      const standing = standingOf(assessment ?? { container, findings: [] }, updatesOf);
      const record = containerPostureRecord(standing);
      const isKnown = assessment !== undefined;
      return {
        ...record,
        score: isKnown ? record.score : null,
        grade: isKnown ? record.grade : null,
        categories: isKnown ? record.categories : [],
        not_assessed: whyNotAssessed(container),
        insights: assessment === undefined ? [] : insightsOfContainer(assessment, ecosystemOf(container)),
        next_steps: isKnown ? stepsOfAll([standing], newerImageOf) : [],
        computed_at: clock.now().toISOString(),
      };
    },
  };
}

/** How each host stands on which something runs. */
export function hostPosturesOf(register: Register, updatesOf: UpdatesOf): HostPosture[] {
  const byHost = Map.groupBy(standingsOf(register, updatesOf, undefined), ({ container }) => container.agentId);
  return [...byHost].flatMap(([agentId, standings]) => {
    const score = scoreOfAll(standings);
    if (score === undefined) return [];
    return [{ agentId, score: Math.round(score), worst: worstOf(standings, NAMED_WORST).map(({ container }) => container.name) }];
  });
}

/** The posture of today, of all hosts and of each of them; none of a host on which nothing runs. */
export function daysOf(register: Register, updatesOf: UpdatesOf, now: Date): PostureDay[] {
  const standings = standingsOf(register, updatesOf, undefined);
  const byHost = Map.groupBy(standings, ({ container }) => hostOf(container.agentId));
  return [["all", standings] as const, ...byHost].flatMap(([host, of]) => dayOf(host, of, now) ?? []);
}

function dayOf(host: string, standings: readonly Standing[], now: Date): PostureDay | undefined {
  const score = scoreOfAll(standings);
  if (score === undefined) return undefined;
  return {
    host,
    day: now.toISOString().slice(0, 10),
    score: Math.round(score),
    containers: standings.length,
    ...distributionOf(standings.flatMap(({ open }) => open)),
    acknowledged: standings.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
  };
}

function standingsOf(register: Register, updatesOf: UpdatesOf, host: string | undefined): Standing[] {
  return [...register.all(host)].map((assessment) => standingOf(assessment, updatesOf));
}

/** undefined where nothing runs. */
function scoreOfAll(standings: readonly Standing[]): number | undefined {
  return meanOf(lossesOf(standings.map(({ score }) => score.score)));
}

/** Those against which anything counts, the worst first. */
function worstOf(standings: readonly Standing[], most: number): Standing[] {
  return standings
    .filter(({ score }) => score.score < 100)
    .toSorted(compareStandings)
    .slice(0, most);
}

function standingOf(assessment: Assessment, updatesOf: UpdatesOf): Standing {
  const { container, findings } = assessment;
  const open = openFindings(assessment);
  const updates = updatesOf(container.id);
  return { container, score: scoreOf({ findings: open, updates }), open, acknowledged: findings.length - open.length, updates };
}

/** What to do next, by what it would gain for all of them. */
function stepsOfAll(standings: readonly Standing[], newerImageOf: NewerImageOf): StepRecord[] {
  const losses = lossesOf(standings.map(({ score }) => score.score));
  const steps: { container: SavedContainer; step: Step; gain: number; containerGain: number }[] = [];
  for (const { container, score, open, updates } of standings) {
    for (const step of stepsOf(open, updates, newerImageOf(container.id))) {
      const gain = gainOf(losses, score.score, step.scoreAfter);
      steps.push({ container, step, gain, containerGain: step.scoreAfter - score.score });
    }
  }
  return steps
    .toSorted((a, b) => Number(isQuestion(a.step)) - Number(isQuestion(b.step)) || b.gain - a.gain || a.container.id - b.container.id)
    .slice(0, SECURITY_BOUNDS.steps)
    .map(({ container, step, gain, containerGain }) => stepRecord(container, step, { gain, containerGain }));
}

function compareStandings(a: Standing, b: Standing): number {
  return a.score.score - b.score.score || b.open.length - a.open.length || a.container.id - b.container.id;
}

const SAVED_EVERY_MS = HOUR_MS;
const SAVING = "days";

/** How safe things stood, day by day. */
interface PostureHistory {
  /** The last days that are known of a host, or of all, oldest first. */
  days(host: string | undefined, days: number, now: Date): Promise<PostureDay[]>;
  /** Something changed: today is saved with the next {@link keep}. */
  touch(): void;
  /** Saves today when something changed, and once an hour. Answers in how many milliseconds it is due again. Throws `storage_unavailable`. */
  keep(now: Date): Promise<number>;
  prune(now: Date, signal: AbortSignal): Promise<void>;
  /** Saves nothing until the answer is called. */
  hold(): Promise<() => void>;
}

export function createPostureHistory(store: SecurityStore, today: (now: Date) => readonly PostureDay[]): PostureHistory {
  const serial = createSerial();
  let changed = true;
  let savedMs = -Infinity;
  /** The next hour or the next day, unless something changes before. */
  function dueInMs(now: Date): number {
    const nowMs = now.getTime();
    return Math.min(savedMs + SAVED_EVERY_MS - nowMs, DAY_MS - (nowMs % DAY_MS));
  }

  return {
    days: (host, days, now) => store.days(host ?? "all", dayText(now.getTime() - (days - 1) * DAY_MS)),
    touch() {
      changed = true;
    },
    keep: (now) =>
      serial(SAVING, async () => {
        const isDue = Math.abs(now.getTime() - savedMs) >= SAVED_EVERY_MS || dayText(now.getTime()) !== dayText(savedMs);
        if (!changed && !isDue) return dueInMs(now);
        changed = false;
        const days = today(now);
        try {
          if (days.length > 0) await store.saveDays(days, now);
          savedMs = now.getTime();
          return dueInMs(now);
        } catch (error) {
          changed = true;
          throw error;
        }
      }),
    hold: () => hold(serial, SAVING),
    async prune(now, signal) {
      const before = dayText(now.getTime() - (SECURITY_BOUNDS.historyDays - 1) * DAY_MS);
      while (!signal.aborted && (await store.pruneDays(before)));
    },
  };
}

function dayText(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "";
}
