import { useState } from "react";
import { CommandLine } from "../../ui/command-line.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

/** What has more lines is folded to its first. */
const MOST_LINES = 6;

/** A command to copy, whole even where only its first line is shown. */
export function Script({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const lines = text.split("\n");
  if (lines.length <= MOST_LINES) return <CommandLine command={text} />;
  return (
    <div className="max-w-full rounded border border-line bg-sunken">
      <div className="flex items-start gap-1 py-0.5 pr-0.5 pl-3">
        <code tabIndex={0} className="max-h-[60vh] min-w-0 flex-1 overflow-auto py-2 font-mono text-xs whitespace-pre text-ink">
          {open ? text : lines[0]}
        </code>
        <CopyButton text={text} label="Copy command" />
      </div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full cursor-pointer items-center border-t border-line px-3 text-xs text-ink-2 hover:text-ink focus-visible:-outline-offset-2"
      >
        {open ? "Show less" : `Show all ${lines.length} lines; copies all lines`}
      </button>
    </div>
  );
}
