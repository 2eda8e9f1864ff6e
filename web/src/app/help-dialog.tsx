import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { useSections } from "./use-sections.ts";

/** What the keys do. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const sections = useSections();
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      {/* Nothing in it can be reached by keys, so the list itself can, to be scrolled. */}
      <dl tabIndex={0} className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5">
        {[...KEYS, ...sections.map((section) => ({ keys: ["g", section.key], does: `Go to ${section.label}` })), ...MORE_KEYS].map(
          ({ keys, does }) => (
            <div key={does} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd className="text-ink-2">{does}</dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  );
}

/** What the help shows. */
const KEYS: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Search or run an action (Cmd K on a Mac)" },
  { keys: ["/"], does: "Filter this page" },
  { keys: ["m"], does: "Go to a moment in the past, and back to now" },
];

const MORE_KEYS: typeof KEYS = [
  { keys: ["j"], does: "Next row" },
  { keys: ["k"], does: "Previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["l"], does: "Containers: open the log of the row" },
  { keys: ["f"], does: "Collapse or expand the group" },
  { keys: ["F"], does: "Collapse or expand all groups" },
  { keys: ["x"], does: "Select the row for a bulk action" },
  { keys: ["X"], does: "Select all visible rows" },
  { keys: ["p"], does: "Endpoints, heartbeats: pause the selected rows" },
  { keys: ["a"], does: "Alerts, also on the overview, selected findings, or all of them: acknowledge" },
  { keys: ["s"], does: "Alerts, also on the overview: silence" },
  { keys: ["r"], does: "Alerts: resolve. Selected endpoints and heartbeats: resume" },
  { keys: ["u"], does: "Undo the last action" },
  { keys: ["End"], does: "Logs: jump to the newest line and follow" },
  { keys: ["w"], does: "Logs: wrap long lines" },
  { keys: ["t"], does: "Logs: show timestamps" },
  { keys: ["c"], does: "Logs: copy the selected line" },
  { keys: ["Esc"], does: "Clear a field, close a window" },
  { keys: ["?"], does: "This help" },
];
