import type { Act, ActKind } from "../api/alert-acts.ts";
import { isApiError } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { useActs, useAlertActs } from "./alert-acts.ts";
import { useHotkeys } from "./hotkeys.ts";

/** More than this many at a time are not read. */
const SHOWN = 3;

const DONE: Readonly<Record<ActKind, string>> = { acknowledge: "Acknowledged", resolve: "Resolved", silence: "Silenced" };

/** What the reader just did about alerts, with a way back; `u` takes back the last. */
export function ActNotes() {
  const acts = useAlertActs();
  const list = useActs();
  useHotkeys({
    u() {
      const last = list.findLast(({ state }) => state === "waiting");
      if (last !== undefined) acts.drop(last.id);
    },
  });
  return (
    <>
      {list.slice(-SHOWN).map((act) => (
        <Note key={act.id} act={act} />
      ))}
    </>
  );
}

function Note({ act }: { act: Act }) {
  const acts = useAlertActs();
  const { id, kind, state, alert } = act;
  return (
    <div className="pointer-events-auto flex w-full max-w-[34rem] items-center gap-3 rounded border border-line-strong bg-surface py-1.5 pr-1.5 pl-3 shadow-lg shadow-black/8">
      <p dir="auto" className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
        {state === "failed" ? `Not ${DONE[kind].toLowerCase()}: ${reasonOf(act.error)}` : `${DONE[kind]}: ${alert.message}`}
      </p>
      {state === "failed" && (
        <Button kind="quiet" onClick={() => acts.retry(id)}>
          Try again
        </Button>
      )}
      {state !== "sending" && (
        <Button kind="quiet" title={state === "waiting" ? "Undo (u)" : undefined} onClick={() => acts.drop(id)}>
          {state === "failed" ? "Dismiss" : "Undo"}
        </Button>
      )}
    </div>
  );
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.message;
  return error instanceof Error ? error.message : String(error);
}
