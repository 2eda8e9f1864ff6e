import { STATUSES } from "../src/format/status.ts";
import { Age } from "../src/ui/age.tsx";
import { Changed } from "../src/ui/changed.tsx";
import { DaysLeft } from "../src/ui/days-left.tsx";
import { EntityLink } from "../src/ui/entity-link.tsx";
import { Fact, Facts } from "../src/ui/facts.tsx";
import { ImageName } from "../src/ui/image-name.tsx";
import { Kbd } from "../src/ui/kbd.tsx";
import { LevelMark } from "../src/ui/level-mark.tsx";
import { Meter, MeterBar, MeterFigure } from "../src/ui/meter.tsx";
import { Name } from "../src/ui/name.tsx";
import { Percent } from "../src/ui/percent.tsx";
import { StatusIcon } from "../src/ui/status-icon.tsx";
import { StatusWord } from "../src/ui/status-word.tsx";
import { Timestamp } from "../src/ui/timestamp.tsx";
import { UptimeBars } from "../src/ui/uptime-bars.tsx";
import { KindMark } from "../src/entities/updates/kind-mark.tsx";
import { ARABIC, DAYS, LONG, MARKUP, minutesAgo, RIGHT_TO_LEFT } from "./samples.ts";
import { Row, Shelf, Specimen } from "./specimen.tsx";

const NAMES = ["web", LONG, RIGHT_TO_LEFT, ARABIC, MARKUP];
const IMAGES = ["nginx:1.27", `registry.example.com:5000/${"platform/".repeat(6)}payments@sha256:${"0f".repeat(32)}`];

/** Names, figures and marks: what a line of text is made of. */
export function WordShelves() {
  return (
    <>
      <Shelf title="Status">
        <Specimen state="Each status">
          <Row>
            {STATUSES.map((status) => (
              <span key={status} className="flex items-center gap-2 pr-4">
                <StatusIcon status={status} /> {status}
                <StatusIcon status={status} size={22} />
              </span>
            ))}
          </Row>
        </Specimen>
        <Specimen state="With cause and age">
          {STATUSES.map((status) => (
            <p key={status} className="flex">
              <StatusWord
                status={{ status, word: "Exited 137", cause: "OOM killed", since: { at: minutesAgo(12), form: "ago" } }}
                withAge
              />
            </p>
          ))}
        </Specimen>
        <Specimen state="Long and right-to-left causes">
          {[LONG, RIGHT_TO_LEFT].map((cause) => (
            <p key={cause} className="flex">
              <StatusWord status={{ status: "down", word: "Unhealthy", cause, since: undefined }} />
            </p>
          ))}
        </Specimen>
      </Shelf>
      <Shelf title="Names">
        <Specimen state="Short, long, right-to-left, markup">
          {NAMES.map((name) => (
            <p key={name} className="flex min-w-0 gap-2">
              <Name>{name}</Name>
              <EntityLink type="container" id="1" className="min-w-0 truncate underline">
                {name}
              </EntityLink>
            </p>
          ))}
        </Specimen>
        <Specimen state="Images">
          {IMAGES.map((image) => (
            <p key={image} className="max-w-96">
              <ImageName image={image} />
            </p>
          ))}
        </Specimen>
        <Specimen state="Kinds with pages, and one without">
          <Row>
            {["container", "endpoint", "heartbeat", "certificate", "host", "swarm_service", "kubernetes_node", "other"].map((type) => (
              <EntityLink key={type} type={type} id="1" className="underline">
                {type}
              </EntityLink>
            ))}
          </Row>
        </Specimen>
      </Shelf>
      <FigureShelves />
    </>
  );
}

function FigureShelves() {
  return (
    <>
      <Shelf title="Figures">
        <Specimen state="Shares in use: none known, little, much, all">
          <Row>
            {[null, 0, 42.5, 91, 100].map((percent) => (
              <span key={percent} className="flex items-center gap-4 pr-4">
                <Meter percent={percent} title="5.02 of 7.63 GiB" />
                <Percent value={percent} />
              </span>
            ))}
          </Row>
          <div className="mt-2 max-w-40">
            <MeterFigure percent={93} />
            <MeterBar percent={93} className="mt-1" />
          </div>
        </Specimen>
        <Specimen state="Days left: unknown, over, few, many">
          <Row>
            {[null, -3, 5, 62, 365].map((days) => (
              <DaysLeft key={days} days={days} isLow={days === 5} className="pr-4" />
            ))}
          </Row>
        </Specimen>
        <Specimen state="Levels and version jumps">
          <Row>
            {([0, 1, 2, 3, 4] as const).map((level) => (
              <span key={level} className="flex items-center gap-1">
                <LevelMark level={level} /> {level}
              </span>
            ))}
            {(["digest", "patch", "minor", "major"] as const).map((type) => (
              <KindMark key={type} type={type} className="pl-4" />
            ))}
          </Row>
        </Specimen>
        <Specimen state="Times">
          <Row>
            <Age at={minutesAgo(0)} /> <Age at={minutesAgo(90)} form="ago" /> <Age at={minutesAgo(60 * 24 * 400)} />
            <Timestamp at={minutesAgo(5)} precision="second" /> <Timestamp at={minutesAgo(60 * 24 * 3)} />
            <Changed value={1}>unchanged</Changed>
          </Row>
        </Specimen>
        <Specimen state="Uptime of ninety days: with bad days, of few days, nothing seen">
          <div className="flex flex-col gap-2">
            <UptimeBars days={DAYS} />
            <UptimeBars days={DAYS.slice(0, 7)} />
            <UptimeBars days={DAYS.map((day) => ({ ...day, uptime_percent: null, incidents: 0 }))} />
          </div>
        </Specimen>
      </Shelf>
      <Shelf title="Facts and keys">
        <Specimen state="Short, long, right-to-left">
          <Facts>
            <Fact name="Image">nginx:1.27</Fact>
            <Fact name="Command">{LONG}</Fact>
            <Fact name={RIGHT_TO_LEFT}>
              <bdi>{ARABIC}</bdi>
            </Fact>
          </Facts>
          <Row>
            <Kbd>g</Kbd> <Kbd>c</Kbd> <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
          </Row>
        </Specimen>
      </Shelf>
    </>
  );
}
