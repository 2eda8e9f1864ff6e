import { lazy, Suspense, useState, type ReactNode } from "react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/api.ts";
import type { AskedKind } from "../../../api/alert-acts.ts";
import { useAlertActs } from "../../../app/alert-acts.ts";
import { usePreferences } from "../../../app/preferences.ts";

const ActDialog = lazy(() => import("./act-dialog.tsx").then((module) => ({ default: module.ActDialog })));

interface Acting {
  /** Acknowledges or resolves; asks for the reader's name the first time, and for a note `withNote`. */
  act: (kind: AskedKind, alert: ShownAlert, options?: { withNote?: boolean }) => void;
  /** Silences an alert until then; nobody is asked anything. */
  silence: (alert: ShownAlert, until: string) => void;
  /** To be shown somewhere on the page. */
  dialog: ReactNode;
}

/** How a page's reader acts on alerts. */
export function useActing(): Acting {
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const [asking, setAsking] = useState<{ kind: AskedKind; alert: ShownAlert; withNote: boolean } | undefined>(undefined);

  return {
    act(kind, alert, { withNote = false } = {}) {
      const by = readerName.get();
      if (by === "" || withNote) setAsking({ kind, alert, withNote });
      else acts.begin({ kind, alert, by, note: undefined });
    },
    silence: (alert, until) => acts.begin({ kind: "silence", alert, by: readerName.get(), note: undefined, until }),
    dialog: asking !== undefined && (
      <Suspense>
        <ActDialog
          {...asking}
          onClose={() => setAsking(undefined)}
          onDone={(by, note) => {
            readerName.set(by);
            acts.begin({ kind: asking.kind, alert: asking.alert, by, note });
            setAsking(undefined);
          }}
        />
      </Suspense>
    ),
  };
}
