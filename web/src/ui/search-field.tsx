import { Search, X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { classNames } from "./class-names.ts";
import { Kbd } from "./kbd.tsx";

interface Properties {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Shown at the end while empty: a count of hits. Without it a filter of the page shows its key. */
  trailing?: ReactNode;
  className?: string;
  ref?: RefObject<HTMLInputElement | null>;
  /** It filters the whole page: the key `/` leads to it. */
  pageFilter?: boolean;
  onKeyDown?: (event: React.KeyboardEvent<HTMLInputElement>) => void;
}

const PAGE_FILTER_KEY = (
  <span className="flex max-md:hidden">
    <Kbd>/</Kbd>
  </span>
);

/** A field that filters or searches what is beside it. Escape empties it, then leaves it. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder,
  className,
  ref,
  pageFilter,
  trailing = pageFilter && PAGE_FILTER_KEY,
  onKeyDown,
}: Properties) {
  function handleKey(event: React.KeyboardEvent<HTMLInputElement>): void {
    onKeyDown?.(event);
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    if (value === "") event.currentTarget.blur();
    else onChange("");
  }

  return (
    <div
      className={classNames(
        "flex h-8 items-center gap-2 rounded border border-line-strong bg-surface pr-1.5 pl-2.5 text-ink-3 focus-within:outline-2 focus-within:outline-accent",
        className,
      )}
    >
      <Search size={14} aria-hidden className="shrink-0" />
      <input
        ref={ref}
        data-page-filter={pageFilter}
        type="text"
        role="searchbox"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKey}
        spellCheck={false}
        autoComplete="off"
        className="h-full min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3 max-md:-my-[5px] max-md:h-10"
      />
      {value === "" ? (
        trailing
      ) : (
        <>
          {typeof trailing === "string" && <span className="text-xs tabular-nums">{trailing}</span>}
          <button
            type="button"
            aria-label={`Clear ${label.toLowerCase()}`}
            onClick={() => onChange("")}
            className="rounded p-0.5 hover:text-ink max-md:relative max-md:after:absolute max-md:after:-inset-3"
          >
            <X size={14} aria-hidden />
          </button>
        </>
      )}
    </div>
  );
}
