import { ArrowDownToLine, ChevronDown, ChevronUp, Clock, Download, WrapText } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Select } from "../ui/select.tsx";
import type { LogFilter } from "./log-model.ts";
import type { Find } from "./use-find.ts";

const LEVELS = [
  { value: "any", label: "any" },
  { value: "error", label: "errors" },
  { value: "warn", label: "warnings and errors" },
  { value: "info", label: "hide debug" },
] as const;

const STREAMS = [
  { value: "any", label: "both" },
  { value: "stdout", label: "output" },
  { value: "stderr", label: "errors (stderr)" },
] as const;

interface Properties {
  find: Find;
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  hasBothStreams: boolean;
  times: boolean;
  onTimes: () => void;
  wrap: boolean;
  onWrap: () => void;
  onDownload: () => void;
  isFollowing: boolean;
  /** Nothing comes any more that could be followed. */
  isOver: boolean;
  onFollow: () => void;
}

/** What is looked for, what is shown and how. */
export function LogToolbar({
  find,
  filter,
  onFilter,
  hasBothStreams,
  times,
  onTimes,
  wrap,
  onWrap,
  onDownload,
  isFollowing,
  isOver,
  onFollow,
}: Properties) {
  function handleKey(event: React.KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (event.shiftKey) find.previous();
    else find.next();
  }

  return (
    <div role="toolbar" aria-label="Log" className="flex flex-wrap items-center gap-2 py-3">
      <div className="flex items-center gap-1 max-sm:w-full">
        <SearchField
          label="Find in log"
          value={find.query}
          onChange={find.setQuery}
          onKeyDown={handleKey}
          pageFilter
          trailing={find.summary}
          className="w-72 max-sm:min-w-0 max-sm:flex-1"
        />
        <IconButton icon={ChevronUp} label="Previous match (Shift Enter)" disabled={find.query === ""} onClick={find.previous} />
        <IconButton icon={ChevronDown} label="Next match (Enter)" disabled={find.query === ""} onClick={find.next} />
      </div>
      <Select label="Level" value={filter.level} choices={LEVELS} onChange={(level) => onFilter({ ...filter, level })} />
      {(hasBothStreams || filter.stream !== "any") && (
        <Select label="Stream" value={filter.stream} choices={STREAMS} onChange={(stream) => onFilter({ ...filter, stream })} />
      )}
      <div className="ml-auto flex items-center gap-2">
        <Toggle label="Times" title="Show timestamps (t)" pressed={times} onClick={onTimes} icon={<Clock size={14} aria-hidden />} />
        <Toggle label="Wrap" title="Wrap long lines (w)" pressed={wrap} onClick={onWrap} icon={<WrapText size={14} aria-hidden />} />
        <Button onClick={onDownload} title="Download loaded lines">
          <Download size={14} aria-hidden />
          <span className="max-lg:sr-only">Download</span>
        </Button>
        <Button kind={isFollowing && !isOver ? "primary" : "plain"} onClick={onFollow} title="Follow new lines (End)">
          <ArrowDownToLine size={14} aria-hidden />
          <span className="max-sm:sr-only">{isOver ? "Jump to end" : isFollowing ? "Following" : "Follow"}</span>
        </Button>
      </div>
    </div>
  );
}

interface ToggleProperties {
  label: string;
  title: string;
  pressed: boolean;
  onClick: () => void;
  icon: ReactNode;
}

function Toggle({ label, title, pressed, onClick, icon }: ToggleProperties) {
  return (
    <Button pressed={pressed} onClick={onClick} title={title}>
      {icon}
      <span className="max-lg:sr-only">{label}</span>
    </Button>
  );
}
