import { lazy, Suspense, useState, type ReactNode } from "react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { AskedKind, SilenceCovers } from "../../../api/alert-acts.ts";
import { useAlertActs } from "../../../app/alert-acts.ts";
import { usePreferences } from "../../../app/preferences.ts";

const ActDialog = lazy(() => import("./act-dialog.tsx").then((module) => ({ default: module.ActDialog })));

interface Acting {
  /** Acknowledges or resolves; asks for the reader's name the first time, and for a note `withNote`. */
  act: (kind: AskedKind, alerts: readonly ShownAlert[], options?: { withNote?: boolean }) => void;
  /** Silences an alert, or all about the same thing, until then; nobody is asked anything. */
  silence: (alert: ShownAlert, until: string, covers: SilenceCovers) => void;
  /** To be shown somewhere on the page. */
  dialog: ReactNode;
}

/** How a page's reader acts on alerts. */
export function useActing(): Acting {
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const [asking, setAsking] = useState<{ kind: AskedKind; alerts: readonly ShownAlert[]; withNote: boolean } | undefined>(undefined);

  return {
    act(kind, alerts, { withNote = false } = {}) {
      const by = readerName.get();
      if (by === "" || withNote) setAsking({ kind, alerts, withNote });
      else acts.begin(...alerts.map((alert) => ({ kind, alert, by, note: undefined })));
    },
    silence: (alert, until, covers) => acts.begin({ kind: "silence", alert, by: readerName.get(), note: undefined, until, covers }),
    dialog: asking !== undefined && (
      <Suspense>
        <ActDialog
          {...asking}
          onClose={() => setAsking(undefined)}
          onDone={(by, note) => {
            readerName.set(by);
            acts.begin(...asking.alerts.map((alert) => ({ kind: asking.kind, alert, by, note })));
            setAsking(undefined);
          }}
        />
      </Suspense>
    ),
  };
}
