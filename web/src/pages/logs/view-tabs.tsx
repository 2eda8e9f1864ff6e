import { Tab, Tabs } from "../../ui/tabs.tsx";

/** The lines of all logs, or their patterns; both are narrowed by the same filters. */
export function ViewTabs({ current }: { current: "lines" | "patterns" }) {
  return (
    <div className="mt-3">
      <Tabs label="Views">
        <Tab
          from="/logs"
          to="/logs"
          activeOptions={{ exact: true }}
          search={(search) => ({ ...search, view: undefined })}
          current={current === "lines"}
        >
          Lines
        </Tab>
        <Tab
          from="/logs"
          to="/logs"
          activeOptions={{ exact: true }}
          search={(search) => ({ ...search, view: "patterns" as const })}
          current={current === "patterns"}
        >
          Patterns
        </Tab>
      </Tabs>
    </div>
  );
}
