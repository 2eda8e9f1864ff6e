import { Link, type LinkProps } from "@tanstack/react-router";
import { Lock } from "lucide-react";

interface Choice<Value extends string> {
  value: Value;
  name: string;
  link: LinkProps;
  /** The edition that grants it, when the one in force does not. */
  required?: string | undefined;
}

interface Properties<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
}

/** A few choices side by side, one of them in force: each has its own address. */
export function LinkSwitch<Value extends string>({ label, value, choices }: Properties<Value>) {
  return (
    <nav aria-label={label} className="inline-flex rounded border border-line-strong bg-surface">
      {choices.map(({ value: choice, name, link, required }) => (
        <Link
          key={choice}
          {...link}
          activeOptions={{ exact: true }}
          replace
          resetScroll={false}
          aria-current={choice === value ? "page" : undefined}
          title={required === undefined ? undefined : `With the ${required} edition`}
          className="inline-flex h-[30px] min-w-11 items-center justify-center gap-1 border-l border-line px-2.5 whitespace-nowrap text-ink-2 tabular-nums first:rounded-l-[5px] first:border-l-0 last:rounded-r-[5px] hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-[550] aria-[current=page]:text-ink"
        >
          {name}
          {required !== undefined && <Lock size={11} aria-hidden className="text-ink-3" />}
          {required !== undefined && <span className="sr-only">with the {required} edition</span>}
        </Link>
      ))}
    </nav>
  );
}
