import { useState } from "react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Section } from "../../ui/section.tsx";

type Command = NonNullable<UpdateRecord["update_command"]>;

/** How to update and how to go back: to copy, since this program changes nothing on a host. */
export function Commands({ update: { update_command, rollback_command, comparison } }: { update: UpdateRecord }) {
  if (update_command === null && (rollback_command === null || comparison === null)) return null;
  const isSameNote = rollback_command?.note === update_command?.note;
  const back = update_command === null ? `Back to ${comparison?.previous_image}` : "Roll back to the current version";
  return (
    <Section title="Commands" aside="Run on the host">
      {update_command !== null && <OneCommand name="Update" command={isSameNote ? { ...update_command, note: null } : update_command} />}
      {rollback_command !== null && <OneCommand name={back} command={rollback_command} />}
    </Section>
  );
}

function OneCommand({ name, command: { text, note } }: { name: string; command: Command }) {
  return (
    <div className="pt-3">
      <h3 className="pb-1 text-xs font-medium text-ink-2">{name}</h3>
      <Script text={text} />
      {note !== null && (
        <p dir="auto" className="mt-1.5 max-w-[84ch] text-sm wrap-anywhere text-ink-2">
          {note}
        </p>
      )}
    </div>
  );
}

/** What has more lines is folded to its first ones. */
const MOST_LINES = 10;
const FIRST_LINES = 4;

/** A command to copy, whole even where only its first lines are shown. */
function Script({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const lines = text.split("\n");
  if (lines.length <= MOST_LINES) return <CommandLine command={text} />;
  return (
    <div className="max-w-full rounded border border-line bg-sunken">
      <div className="flex items-start gap-1 py-0.5 pr-0.5 pl-3">
        <code tabIndex={0} className="max-h-[60vh] min-w-0 flex-1 overflow-auto py-2 font-mono text-xs whitespace-pre text-ink">
          {open ? text : lines.slice(0, FIRST_LINES).join("\n")}
        </code>
        <CopyButton text={text} label="Copy command" />
      </div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full cursor-pointer items-center border-t border-line px-3 text-xs text-ink-2 hover:text-ink focus-visible:-outline-offset-2"
      >
        {open ? "Show less" : `Show all ${lines.length} lines`}
      </button>
    </div>
  );
}
