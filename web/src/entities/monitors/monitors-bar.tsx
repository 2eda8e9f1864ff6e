import { useQueryClient } from "@tanstack/react-query";
import { BellOff, Pause, Play, Trash2, type LucideIcon } from "lucide-react";
import { useState, type ComponentProps } from "react";
import type { MonitorDeed } from "../../api/alert-acts.ts";
import { deleteMonitor, setMonitorPaused, silenceAbout } from "../../api/monitor-acts.ts";
import { useAlertActs } from "../../app/alert-acts.ts";
import { useHotkeys } from "../../app/hotkeys.ts";
import { usePreferences } from "../../app/preferences.ts";
import { useServerTime } from "../../app/server-time.ts";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Menu } from "../../ui/menu.tsx";
import { presetEnd, PRESETS } from "../silences/periods.ts";
import { DeleteMonitorsDialog } from "./delete-monitors-dialog.tsx";
import type { Monitor } from "./monitor.ts";

interface Properties {
  monitors: readonly Monitor[];
  /** How many the list shows. */
  shown: number;
  onSelectAll: () => void;
  onClear: () => void;
}

/** What can be done with the selected endpoints or heartbeats: `p` pauses them, `r` resumes them. */
export function MonitorsBar({ monitors, shown, onSelectAll, onClear }: Properties) {
  const queryClient = useQueryClient();
  const acts = useAlertActs();
  const { readerName } = usePreferences();
  const serverTime = useServerTime();
  const [isDeleting, setDeleting] = useState(false);
  const running = monitors.filter(({ isPaused }) => !isPaused);
  const paused = monitors.filter(({ isPaused }) => isPaused);
  const deletable = monitors.filter(({ isLabelDefined }) => !isLabelDefined);

  function begin(kind: MonitorDeed["kind"], some: readonly Monitor[], send: (monitor: Monitor) => Promise<void>): void {
    if (some.length === 0) return;
    acts.begin(...some.map((monitor) => ({ kind, monitor, send: () => send(monitor) })));
    onClear();
  }

  const pause = (): void => begin("pause", running, (monitor) => setMonitorPaused(queryClient, monitor, true));
  const resume = (): void => begin("resume", paused, (monitor) => setMonitorPaused(queryClient, monitor, false));
  useHotkeys({ p: pause, r: resume });

  const silences = PRESETS.map(({ key, label }) => ({
    key,
    label,
    run() {
      const until = new Date(presetEnd(key, serverTime())).toISOString();
      begin("silence", monitors, (monitor) => silenceAbout(monitor, { by: readerName.get(), until }));
    },
  }));
  const type = monitors[0]?.type ?? "monitor";

  return (
    <>
      <SelectionBar label={`Selected ${type}s`} selected={monitors.length} shown={shown} onSelectAll={onSelectAll} onClear={onClear}>
        {monitors.length > 0 && (
          <>
            <Action icon={Pause} title="Pause (p)" disabled={running.length === 0} onClick={pause}>
              Pause
            </Action>
            <Action icon={Play} title="Resume (r)" disabled={paused.length === 0} onClick={resume}>
              Resume
            </Action>
            <Menu rows={silences} trigger={<Action icon={BellOff}>Silence</Action>} />
            <Action
              icon={Trash2}
              disabled={deletable.length === 0}
              title={deletable.length === 0 ? "Defined by labels: remove the label instead" : undefined}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Action>
          </>
        )}
      </SelectionBar>
      {isDeleting && (
        <DeleteMonitorsDialog
          monitors={deletable}
          kept={monitors.length - deletable.length}
          onClose={() => setDeleting(false)}
          onConfirm={() => {
            setDeleting(false);
            begin("delete", deletable, (monitor) => deleteMonitor(queryClient, monitor));
          }}
        />
      )}
    </>
  );
}

/** A button with words; on a phone with an icon. */
function Action({ icon: Icon, children, className, ...rest }: ComponentProps<"button"> & { icon: LucideIcon }) {
  return (
    <Button kind="quiet" className={classNames("max-md:size-10 max-md:px-0", className)} {...rest}>
      <Icon size={16} aria-hidden className="md:hidden" />
      <span className="max-md:sr-only">{children}</span>
    </Button>
  );
}
