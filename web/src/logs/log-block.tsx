import { AnsiText } from "./ansi-text.tsx";

/** Some lines that a program printed, which scroll when they are many. */
export function LogBlock({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap [font-variant-ligatures:none] [tab-size:4]"
    >
      {lines.map((line, index) => (
        <div key={index} className="min-h-5">
          <AnsiText line={line} />
        </div>
      ))}
    </pre>
  );
}
