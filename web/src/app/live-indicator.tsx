import { useLive } from "../api/live.ts";
import type { LiveState } from "../api/live-stream.ts";
import type { Status } from "../format/status.ts";
import { Age } from "../ui/age.tsx";
import { useIsStale } from "./sight.ts";
import { StatusIcon } from "../ui/status-icon.tsx";

const PHASE_WORDS: Record<LiveState["phase"], { status: Status; word: string; meaning: string }> = {
  connecting: { status: "idle", word: "Connecting", meaning: "Connecting to live updates" },
  live: { status: "ok", word: "Live", meaning: "Changes appear as they happen" },
  reconnecting: {
    status: "degraded",
    word: "Reconnecting",
    meaning: "Live updates were interrupted. Missed changes load after reconnecting.",
  },
  offline: { status: "down", word: "Offline", meaning: "Cannot reach the server" },
};

/** The page is live, and what it shows is not. */
const BLIND = { status: "idle", word: "Live", meaning: "The server answers, but no container engine does" } as const;

/** Whether what is shown is how things are now. */
export function LiveIndicator() {
  const live = useLive();
  const isBlind = useIsStale() && live.phase === "live";
  const { status, word, meaning } = isBlind ? BLIND : PHASE_WORDS[live.phase];
  return (
    <span role="status" title={meaning} className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2">
      <StatusIcon status={status} size={11} />
      <span className="max-sm:sr-only">
        {word}
        {isBlind && <span className="max-lg:sr-only">, no container data</span>}
      </span>
      {"sinceMs" in live && <Age at={new Date(live.sinceMs).toISOString()} />}
    </span>
  );
}
