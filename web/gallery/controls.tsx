import { Bell, Settings } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonKind } from "../src/ui/button.tsx";
import { CommandLine } from "../src/ui/command-line.tsx";
import { CopyButton } from "../src/ui/copy-button.tsx";
import { CheckFilter, ChoiceFilter } from "../src/ui/filter-menus.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { LinkSwitch } from "../src/ui/link-switch.tsx";
import { choiceRows } from "../src/ui/menu-rows.ts";
import { Menu, MenuButton } from "../src/ui/menu.tsx";
import { MoreRows } from "../src/ui/more-rows.tsx";
import { SearchField } from "../src/ui/search-field.tsx";
import { Section } from "../src/ui/section.tsx";
import { Select } from "../src/ui/select.tsx";
import { Summary } from "../src/ui/summary.tsx";
import { Tab, Tabs } from "../src/ui/tabs.tsx";
import { Tooltip } from "../src/ui/tooltip.tsx";
import { ignore, LONG, RIGHT_TO_LEFT } from "./samples.ts";
import { Row, Shelf, Specimen } from "./specimen.tsx";

const KINDS: readonly ButtonKind[] = ["plain", "primary", "quiet", "danger"];
const LEVELS = [
  { value: "any", label: "Any", count: 1204 },
  { value: "error", label: "Error", count: 3 },
  { value: "long", label: LONG },
  { value: "rtl", label: RIGHT_TO_LEFT },
];
const STATES = [
  { value: "error", label: "Error", count: 3 },
  { value: "none", label: "None", count: 0 },
];

/** What is pressed. */
export function ControlShelves() {
  const [level, setLevel] = useState("any");
  const rows = choiceRows(level, LEVELS, setLevel);
  return (
    <>
      <Shelf title="Buttons">
        <Specimen state="Kinds: as they are, unavailable, pressed">
          {KINDS.map((kind) => (
            <Row key={kind}>
              <Button kind={kind}>Save {kind}</Button>
              <Button kind={kind} disabled>
                Saving {kind}
              </Button>
              {kind !== "primary" && (
                <Button kind={kind} pressed>
                  Pressed {kind}
                </Button>
              )}
            </Row>
          ))}
        </Specimen>
        <Specimen state="Icons: as they are, unavailable, pressed, copies">
          <Row>
            <IconButton icon={Bell} label="Alerts" />
            <IconButton icon={Bell} label="Alerts unavailable" disabled />
            <IconButton icon={Settings} label="Settings" pressed />
            <CopyButton text="text" />
            <Tooltip text={`More about it: ${LONG}`}>
              <button type="button" className="underline">
                With a tooltip
              </button>
            </Tooltip>
          </Row>
        </Specimen>
        <Specimen state="A command: short, long">
          <div className="flex flex-col gap-2">
            <CommandLine command="docker pull nginx:1.27" />
            <CommandLine command={`docker run --name ${LONG} --env TOKEN=${"x".repeat(120)} nginx`} />
          </div>
        </Specimen>
      </Shelf>
      <Shelf title="Menus">
        <Specimen state="Few, a long choice, active">
          <Row>
            <Select label="Level" value={level} choices={LEVELS} onChange={setLevel} />
            <Select label="Group" value="long" choices={LEVELS} onChange={ignore} />
            <Menu trigger={<MenuButton active>Filtered</MenuButton>} rows={rows} />
            <ChoiceFilter label="Source" value={undefined} choices={LEVELS} onChange={ignore} />
            <ChoiceFilter label="Source" value="rtl" choices={LEVELS} onChange={ignore} />
            <CheckFilter label="State" values={["error"]} choices={STATES} onChange={ignore} />
            <CheckFilter label="State" values={["error", "none"]} choices={STATES} onChange={ignore} />
          </Row>
        </Specimen>
      </Shelf>
      <Shelf title="Tabs, search and more rows">
        <Specimen state="Many tabs">
          <Tabs label="Sample tabs">
            {["Overview", "Logs", "Metrics", "History", "Checks", "Updates", "Security", "Alerts", LONG].map((name, index) => (
              <Tab key={name} to="/containers/$id" params={{ id: index }} current={index === 1}>
                <span className="whitespace-nowrap">{name}</span>
              </Tab>
            ))}
          </Tabs>
        </Specimen>
        <Specimen state="A switch of addresses: one in force, one of another edition">
          <LinkSwitch
            label="Sample switch"
            value="now"
            choices={[
              { value: "now", name: "In use now", link: { to: "/resources" } },
              { value: "week", name: "7 d", link: { to: "/resources" }, required: "Pro" },
              { value: "long", name: "90 d", link: { to: "/resources" } },
            ]}
          />
        </Specimen>
        <Specimen state="Search: empty, with text and hits">
          <Row>
            <SearchField label="Filter" value="" onChange={ignore} pageFilter />
            <SearchField label="Find" value={RIGHT_TO_LEFT} onChange={ignore} trailing="3 of 12" />
          </Row>
        </Specimen>
        <Specimen state="More rows: none, some, being read">
          <MoreRows what="alert" hidden={0} isReading={false} onMore={ignore} />
          <MoreRows what="alert" hidden={1204} isReading={false} onMore={ignore} />
          <MoreRows what="alert" hidden={1204} isReading onMore={ignore} />
        </Specimen>
        <Specimen state="What opens a part: closed, open, long">
          <details>
            <Summary>Show fix</Summary>
            <p>Its content.</p>
          </details>
          <details open>
            <Summary>Labels</Summary>
            <p>Its content.</p>
          </details>
          <details>
            <Summary>
              <span className="min-w-0 wrap-anywhere">{LONG}</span>
            </Summary>
            <p>Its content.</p>
          </details>
        </Specimen>
        <Section title="A section" aside="With something aside">
          <p className="pt-2">And its content.</p>
        </Section>
      </Shelf>
    </>
  );
}
