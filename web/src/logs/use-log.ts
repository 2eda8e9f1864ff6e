import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { UnseenTasks } from "../../../src/monitoring/swarm/answers.ts";
import { countOf } from "../format/number.ts";
import { LogModel, type LogSnapshot } from "./log-model.ts";
import { createLogSource, type LogSource, type LogSourceState } from "./log-source.ts";
import type { Overlap } from "./overlap.ts";
import { type LogPart, type LogRoute, serverLog } from "./server-log.ts";
import { createWeave, type Marker, type Weave } from "./weave.ts";

interface Options {
  /** Where the server sends it, and of what. */
  route: LogRoute;
  id: number | string;
  /** Which of it is read; the same object until another is chosen. */
  part?: LogPart | undefined;
  /** What keeps a line from coming twice; the same function at each call. */
  overlap: () => Overlap;
  /** What happened to what writes it, oldest first; null while that is not known. Reading begins after. */
  markers: readonly Marker[] | null;
  /** Changes whenever it may be written again after it ended. */
  runKey: string | null;
}

export interface FollowedLog {
  model: LogModel;
  snapshot: LogSnapshot;
  state: LogSourceState;
  /** There is more than was read at first. */
  hasOlder: boolean;
  /** Of a service: tasks whose log is not in it. */
  unseen: UnseenTasks;
  resume(): void;
}

/** A fast log is drawn no more often than this, so that the page stays quick under the hand. */
const FRAME_MS = 50;

/** Calls back before the next frame; when called again and again, with some room between. */
function createFrames(): (callback: () => void) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (callback) =>
    void requestAnimationFrame(function run(nowMs) {
      if (nowMs - lastMs < FRAME_MS) return void requestAnimationFrame(run);
      lastMs = nowMs;
      return callback();
    });
}

const GAP = "lines missing: too many were written while the connection was lost";

/** A log, live for as long as the component is there. */
export function useLog({ route, id, part, overlap, markers, runKey }: Options): FollowedLog {
  const [model] = useState(() => new LogModel({ schedule: createFrames() }));
  const snapshot = useSyncExternalStore(model.subscribe, model.snapshot);
  const [state, setState] = useState<LogSourceState>({ phase: "loading" });
  const [hasOlder, setHasOlder] = useState(false);
  const [unseen, setUnseen] = useState<UnseenTasks>([]);
  const source = useRef<LogSource>(null);
  const weave = useRef<Weave>(null);
  const isReady = markers !== null;

  useEffect(() => {
    if (!isReady) return undefined;
    const woven = createWeave((entries) => model.append(entries));
    const listener = {
      lines: woven.lines,
      gap: () => woven.note(GAP),
      omitted: (lines: number) => woven.note(`${countOf(lines, "line")} left out: they came faster than can be shown`),
      begin(older: boolean) {
        model.clear();
        setHasOlder(older);
      },
      unseen: setUnseen,
      state: setState,
    };
    const opened = createLogSource(serverLog(route, id, part), listener, overlap());
    weave.current = woven;
    source.current = opened;
    opened.start();
    return () => {
      opened.close();
      model.clear();
    };
  }, [route, id, part, overlap, isReady, model]);

  useEffect(() => {
    if (markers !== null) weave.current?.markers(markers);
  }, [markers]);

  useEffect(() => {
    if (state.phase === "ended" && runKey !== null) source.current?.resume();
  }, [state.phase, runKey]);

  const resume = useCallback(() => source.current?.resume(), []);
  return { model, snapshot, state, hasOlder, unseen, resume };
}
