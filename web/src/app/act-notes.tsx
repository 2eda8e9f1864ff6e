import type { Act } from "../api/alert-acts.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { doneWords, failedWords } from "./act-words.ts";
import { useActs, useAlertActs } from "./alert-acts.ts";
import { useHotkeys } from "./hotkeys.ts";

/** More than this many at a time are not read. */
const SHOWN = 3;

/** What the reader just did about alerts and monitors, with a way back; `u` takes back the last. */
export function ActNotes() {
  const acts = useAlertActs();
  const list = useActs();
  useHotkeys({
    u() {
      const last = list.findLast(({ state }) => state === "waiting");
      for (const { id, batch, state } of list) if (batch === last?.batch && state === "waiting") acts.drop(id);
    },
  });
  const together = [...Map.groupBy(list, ({ batch, state }) => `${batch} ${state}`)];
  return <>{together.slice(-SHOWN).map(([key, [act, ...others]]) => act && <Note key={key} act={act} others={others} />)}</>;
}

/** What was done about one thing, and about others at the same time. */
function Note({ act, others }: { act: Act; others: readonly Act[] }) {
  const acts = useAlertActs();
  const { state } = act;
  const ids = [act, ...others].map(({ id }) => id);
  return (
    <div className="pointer-events-auto flex w-full max-w-[34rem] items-center gap-3 rounded border border-line-strong bg-surface py-1.5 pr-1.5 pl-3 shadow-lg shadow-black/8">
      <p
        dir="auto"
        className={classNames("min-w-0 flex-1 wrap-anywhere", state === "failed" ? "max-h-40 overflow-y-auto" : "line-clamp-2")}
      >
        {state === "failed" ? failedWords(act, others) : doneWords(act, others)}
      </p>
      {state === "failed" && (
        <Button kind="quiet" onClick={() => ids.forEach(acts.retry)}>
          Try again
        </Button>
      )}
      {state !== "sending" && (
        <Button kind="quiet" title={state === "waiting" ? "Undo (u)" : undefined} onClick={() => ids.forEach(acts.drop)}>
          {state === "failed" ? "Dismiss" : "Undo"}
        </Button>
      )}
    </div>
  );
}
