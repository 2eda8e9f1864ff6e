import type { Snippets } from "./answers.ts";
import type { Schedule } from "./schedule.ts";

/** What a snippet is made for. */
export interface SnippetSubject {
  name: string;
  schedule: Schedule;
  /** Of the ping, without a suffix. */
  url: string;
}

/** Does not fail, does not hang, tries again, and says nothing when all is well. */
const CURL = "curl -fsS -m 10 --retry 5 --retry-connrefused -o /dev/null";
const WGET = "wget -q -T 10 -t 5 --retry-connrefused -O /dev/null";
const JOB = "/path/to/job";

/** Ready to copy: how a job reports in the ways jobs are run. */
export function snippetsFor({ name, schedule, url }: SnippetSubject): Snippets {
  const ping = shellQuote(url);
  const start = shellQuote(`${url}/start`);
  const slug = slugOf(name);
  const { line, zone } = cronOf(schedule);
  return {
    curl: `${CURL} ${ping}\n`,
    wget: `${WGET} ${ping}\n`,
    crontab: lines(
      `# ${name}`,
      ...(zone === undefined ? [] : [`# Expected in the time zone ${zone}; cron uses that of its host.`]),
      `${line} ${CURL} ${start}; ${JOB}; ${CURL} ${ping}/$?`,
    ),
    systemd: lines(
      `# /etc/systemd/system/${slug}.service`,
      "[Unit]",
      `Description=${name.replaceAll("%", "%%")}`,
      "",
      "[Service]",
      "Type=oneshot",
      `ExecStartPre=-/bin/sh -c ${systemdQuote(`${CURL} ${start}`)}`,
      `ExecStart=${JOB}`,
      "# Reports every end: the exit code, or that a signal or a limit ended it.",
      `ExecStopPost=-/bin/sh -c ${systemdQuote(`case "$EXIT_CODE" in exited) end="$EXIT_STATUS" ;; *) end=fail ;; esac; ${CURL} ${ping}/"$end"`)}`,
    ),
    powershell: lines(
      `$ping = ${powershellQuote(url)}`,
      'try { Invoke-WebRequest -UseBasicParsing -TimeoutSec 10 -Uri "$ping/start" | Out-Null } catch { Write-Warning $_ }',
      "& 'C:\\path\\to\\job.exe'",
      "$end = if ($LASTEXITCODE -ge 0 -and $LASTEXITCODE -le 255) { $LASTEXITCODE } else { 'fail' }",
      'try { Invoke-WebRequest -UseBasicParsing -TimeoutSec 10 -Uri "$ping/$end" | Out-Null } catch { Write-Warning $_ }',
    ),
    python: lines(
      "import urllib.request",
      "",
      `PING = ${JSON.stringify(url)}`,
      "",
      "",
      'def ping(path=""):',
      "    try:",
      "        urllib.request.urlopen(PING + path, timeout=10).close()",
      "    except OSError as error:",
      '        print(f"ping failed: {error}")',
      "",
      "",
      'ping("/start")',
      "try:",
      "    ...  # the job",
      "except BaseException:",
      '    ping("/fail")',
      "    raise",
      "ping()",
    ),
    github_actions: lines(
      `# Once: gh secret set BINNACLE_PING_URL --body ${ping}`,
      "# As the last of the steps:",
      "- name: Report to Binnacle",
      "  if: always()",
      "  env:",
      "    PING_URL: ${{ secrets.BINNACLE_PING_URL }}",
      "    OUTCOME: ${{ job.status == 'success' && '0' || '1' }}",
      `  run: ${CURL} "$PING_URL/$OUTCOME"`,
    ),
    kubernetes_cronjob: lines(
      "apiVersion: batch/v1",
      "kind: CronJob",
      "metadata:",
      `  name: ${slug}`,
      "spec:",
      `  schedule: ${JSON.stringify(line)}`,
      ...(schedule.kind === "cron" ? [`  timeZone: ${JSON.stringify(schedule.timezone)}`] : []),
      "  concurrencyPolicy: Forbid",
      "  jobTemplate:",
      "    spec:",
      "      backoffLimit: 0",
      "      template:",
      "        spec:",
      "          restartPolicy: Never",
      "          containers:",
      "            - name: job",
      "              image: your/image:tag # with a shell and wget, as in Alpine or BusyBox",
      "              env:",
      "                - name: PING_URL",
      `                  value: ${JSON.stringify(url)}`,
      "              command:",
      "                - /bin/sh",
      "                - -c",
      "                - |",
      '                  wget -q -T 10 -O /dev/null "$PING_URL/start"',
      `                  ${JOB}`,
      "                  code=$?",
      '                  wget -q -T 10 -O /dev/null "$PING_URL/$code"',
      '                  exit "$code"',
    ),
  };
}

function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}

/** For sh. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For a word of a unit file, where systemd itself reads `%`, `$`, backslashes and quotes. */
function systemdQuote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

function powershellQuote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name that Kubernetes and systemd take. */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 52)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "job" : slug;
}

/** The schedule as a cron line; an interval as the nearest line that is at least as often. */
function cronOf(schedule: Schedule): { line: string; zone: string | undefined } {
  if (schedule.kind === "cron") return { line: schedule.cron, zone: schedule.timezone };
  const minutes = Math.max(1, Math.floor(schedule.intervalSeconds / 60));
  return { line: cronEvery(minutes), zone: undefined };
}

function cronEvery(minutes: number): string {
  const fitting = (units: readonly number[], atMost: number): number => units.findLast((unit) => unit <= atMost) ?? 1;
  if (minutes < 60) return minutes === 1 ? "* * * * *" : `*/${fitting([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30], minutes)} * * * *`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? "0 * * * *" : `0 */${fitting([1, 2, 3, 4, 6, 8, 12], hours)} * * *`;
  const days = Math.floor(hours / 24);
  return days < 7 ? "0 0 * * *" : days < 31 ? "0 0 * * 0" : days < 366 ? "0 0 1 * *" : "0 0 1 1 *";
}
