import { lazy, Suspense, useState, type ReactNode } from "react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { AskedKind, SilenceCovers } from "../../../api/alert-acts.ts";
import { useAlertActs } from "../../../app/alert-acts.ts";
import { useHeldKeys } from "../../../app/held-keys.ts";
import { usePreferences } from "../../../app/preferences.ts";
import { namedBy } from "../../silences/covers.ts";

const ActDialog = lazy(() => import("./act-dialog.tsx").then((module) => ({ default: module.ActDialog })));
const SilenceForDialog = lazy(() => import("./silence-for-dialog.tsx").then((module) => ({ default: module.SilenceForDialog })));

const NOTHING: readonly ShownAlert[] = [];

interface Acting {
  /** Acknowledges or resolves; asks for the reader's name the first time, and for a note `withNote`. */
  act: (kind: AskedKind, alerts: readonly ShownAlert[], options?: { withNote?: boolean }) => void;
  /** Silences an alert, or all about the same thing, until then; nobody is asked anything. */
  silence: (alert: ShownAlert, until: string, covers: SilenceCovers) => void;
  /** Asks for how long alerts are silenced. */
  askSilence: (alerts: readonly ShownAlert[]) => void;
  /** To be shown somewhere on the page. */
  dialog: ReactNode;
}

/** How a page's reader acts on alerts. */
export function useActing(): Acting {
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const [asking, setAsking] = useState<{ kind: AskedKind; alerts: readonly ShownAlert[]; withNote: boolean } | undefined>(undefined);
  const [silencing, setSilencing] = useState<readonly ShownAlert[]>(NOTHING);

  function silenceAll(alerts: readonly ShownAlert[], until: string, covers: SilenceCovers): void {
    acts.begin(
      ...namedBy(alerts, covers).map((alert) => ({
        kind: "silence" as const,
        alert,
        by: readerName.get(),
        note: undefined,
        until,
        covers,
      })),
    );
  }

  function close(): void {
    setAsking(undefined);
    setSilencing(NOTHING);
  }

  return {
    act(kind, alerts, { withNote = false } = {}) {
      const by = readerName.get();
      if (by === "" || withNote) setAsking({ kind, alerts, withNote });
      else acts.begin(...alerts.map((alert) => ({ kind, alert, by, note: undefined })));
    },
    silence: (alert, until, covers) => silenceAll([alert], until, covers),
    askSilence: setSilencing,
    dialog: (asking !== undefined || silencing.length > 0) && (
      <Suspense fallback={<Opening onEscape={close} />}>
        {silencing.length > 0 && (
          <SilenceForDialog
            alerts={silencing}
            onClose={close}
            onDone={(until, covers) => {
              close();
              silenceAll(silencing, until, covers);
            }}
          />
        )}
        {asking !== undefined && (
          <ActDialog
            {...asking}
            onClose={close}
            onDone={(by, note) => {
              readerName.set(by);
              acts.begin(...asking.alerts.map((alert) => ({ kind: asking.kind, alert, by, note })));
              close();
            }}
          />
        )}
      </Suspense>
    ),
  };
}

/** Keeps keys from the rows below while a window is loaded: Enter would open one of them. */
function Opening({ onEscape }: { onEscape: () => void }) {
  useHeldKeys({ onEscape });
  return null;
}
