import { CopyButton } from "./copy-button.tsx";

/** A command to copy. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className="flex max-w-full items-start gap-1 rounded border border-line bg-sunken py-0.5 pr-0.5 pl-3">
      <code tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-2 font-mono text-xs whitespace-pre text-ink">
        {command}
      </code>
      <CopyButton text={command} label="Copy command" />
    </div>
  );
}
