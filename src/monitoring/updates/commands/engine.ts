/** Containers that were started manually: they are re-created from what the engine itself knows of them. */
import { type CommandInput, type RuntimeCommands, quoteAll } from "./command.ts";

/** Of what an engine takes as a name: it becomes part of an address. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const NOTE =
  "The container is recreated with its current settings; image defaults come from the new image. " +
  "If the new container does not start, the old one is restored. Containers that share its network must be recreated afterwards.";

export function engineCommands({ name }: CommandInput["container"]): RuntimeCommands | undefined {
  if (!NAME.test(name)) return undefined;
  return {
    command: (image) => ({
      text: [`sh -eu -s -- ${quoteAll([name, image])} <<'RECREATE'`, RECREATE.trim(), "RECREATE"].join("\n"),
      note: NOTE,
    }),
  };
}

/**
 * The shell script that re-creates a container ($1) with another image ($2). It needs `docker` and a POSIX shell, nothing else, and
 * works over every connection that `docker` has: `docker system dial-stdio` is a pipe to the engine. The container's description goes through a
 * shell variable and that pipe, so that its environment appears neither here nor in a list of processes.
 *
 * What the image itself sets (environment, command, labels, ...) is left out where the container has it unchanged, so that the new image's own
 * holds. The engine reads JSON in which the last of two equal names counts, so changes are written behind its own values.
 */
const RECREATE = String.raw`
main() {
  name=$1 image=$2 done=no next_id= running=false
  id=$(docker inspect --type container -f '{{.Id}}' "$name")
  old=$(docker inspect --type container -f '{{.Image}}' "$id")
  short=$(printf %.12s "$id")
  next=$name.next.$short
  answer=$(mktemp)
  trap finish EXIT
  trap 'exit 1' HUP INT TERM

  why=$(of_container '{{if .HostConfig.AutoRemove}}it removes itself when it stops{{end}}{{range .HostConfig.Mounts}}{{if and (eq (printf "%s" .Type) "volume") (not .Source)}}its mount {{.Target}} has a volume without a name{{end}}{{end}}')
  [ -z "$why" ] || fail "$name cannot be re-created without loss: $why."
  case $image in
    *@*) docker image inspect "$image" >/dev/null 2>&1 || docker pull "$image" ;;
    *) docker pull "$image" ;;
  esac

  version=$(docker version -f '{{.Client.APIVersion}}')
  config=$(of_container '{{json .Config}}')
  host=$(of_container '{{json .HostConfig}}')
  changes=$(config_changes)
  binds=$(binds)
  first=$(first_network)
  others=$(other_networks)
  call "/containers/create?name=$next" "${"$"}{config%?},\"Image\":\"$image\"$changes,\"HostConfig\":${"$"}{host%?},\"Binds\":[$binds]},\"NetworkingConfig\":{\"EndpointsConfig\":{$first}}}"
  next_id=$(docker inspect --type container -f '{{.Id}}' "$next")
  printf '%s\n' "$others" | while read -r network endpoint; do
    [ -n "$network" ] || continue
    call "/networks/$network/connect" "{\"Container\":\"$next_id\",\"EndpointConfig\":$endpoint}"
  done

  running=$(of_container '{{.State.Running}}')
  if [ "$running" = true ]; then docker stop "$id" >/dev/null; fi
  docker rename "$id" "$name.previous.$short"
  docker rename "$next_id" "$name"
  if [ "$running" = true ]; then docker start "$next_id" >/dev/null; fi
  done=yes
  docker rm "$id" >/dev/null
  printf '%s\n' "$name runs $image."
}

# Whatever went wrong, the old container is left as it was.
finish() {
  rm -f "$answer"
  [ "$done" = no ] || return 0
  if [ -n "$next_id" ]; then docker rm -f "$next_id" >/dev/null || :; fi
  docker rename "$id" "$name" 2>/dev/null || :
  if [ "$running" = true ]; then docker start "$id" >/dev/null || :; fi
  printf '%s\n' "$name was left as it was." >&2
}

fail() { printf '%s\n' "$1" >&2; exit 1; }
of_container() { docker inspect --type container -f "$1" "$id"; }
of_image() { docker image inspect -f "$1" "$old"; }

# Sends JSON to the engine; the pipe stays open until it answers.
call() {
  : > "$answer"
  length=$(printf %s "$2" | wc -c)
  {
    printf 'POST /v%s%s HTTP/1.1\r\nHost: docker\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' "$version" "$1" "$length" "$2"
    left=60
    while [ ! -s "$answer" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done
  } | docker system dial-stdio > "$answer"
  case $(head -n 1 "$answer") in
    'HTTP/1.1 2'*) ;;
    *) fail "The engine refused: $(tail -n 1 "$answer")" ;;
  esac
}

config_changes() {
  env=$(of_image '{{range .Config.Env}} {{printf "%q" .}}{{end}}')
  labels=$(of_image '{{range $k, $v := .Config.Labels}} {{printf "%q" (printf "%s=%s" $k $v)}}{{end}}')
  ports=$(of_image '{{range $k, $v := .Config.ExposedPorts}} {{printf "%q" (printf "%s" $k)}}{{end}}')
  volumes=$(of_image '{{range $k, $v := .Config.Volumes}} {{printf "%q" (printf "%s" $k)}}{{end}}')
  of_container '{{$c := ""}},"Env":[{{range .Config.Env}}{{if not (eq . ""'"$env"')}}{{$c}}{{json .}}{{$c = ","}}{{end}}{{end}}]'
  of_container '{{$c := ""}},"Labels":null,"Labels":{{"{"}}{{range $k, $v := .Config.Labels}}{{if not (eq (printf "%s=%s" $k $v) ""'"$labels"')}}{{$c}}{{json $k}}:{{json $v}}{{$c = ","}}{{end}}{{end}}}'
  of_container '{{$c := ""}},"ExposedPorts":null,"ExposedPorts":{{"{"}}{{range $k, $v := .Config.ExposedPorts}}{{if or (index $.HostConfig.PortBindings $k) (not (eq (printf "%s" $k) ""'"$ports"'))}}{{$c}}{{json $k}}:{}{{$c = ","}}{{end}}{{end}}}'
  of_container '{{$c := ""}},"Volumes":null,"Volumes":{{"{"}}{{range $k, $v := .Config.Volumes}}{{if not (eq (printf "%s" $k) ""'"$volumes"')}}{{$c}}{{json $k}}:{}{{$c = ","}}{{end}}{{end}}}'
  entrypoint=$(of_image '{{printf "%q" (json .Config.Entrypoint)}}')
  cmd=$(of_image '{{printf "%q" (json .Config.Cmd)}}')
  of_container '{{if eq (json .Config.Entrypoint) '"$entrypoint"'}},"Entrypoint":null{{if eq (json .Config.Cmd) '"$cmd"'}},"Cmd":null{{end}}{{else if not .Config.Entrypoint}},"Entrypoint":[""]{{end}}'
  for field in User WorkingDir StopSignal; do
    own=$(of_image '{{printf "%q" .Config.'"$field"'}}')
    of_container '{{if eq .Config.'"$field $own"'}},"'"$field"'":""{{end}}'
  done
  for field in Healthcheck Shell; do
    own=$(of_image '{{printf "%q" (json .Config.'"$field"')}}')
    of_container '{{if eq (json .Config.'"$field"') '"$own"'}},"'"$field"'":null{{end}}'
  done
  # A name that the engine gave, or that belongs to the host or to another container.
  engine=$(docker info -f '{{printf "%q" .Name}}')
  of_container '{{$shared := eq (index (split (printf "%s" .HostConfig.NetworkMode) ":") 0) "container"}}{{if or $shared (eq .Config.Hostname '"$engine"' (truncate .Id 12))}},"Hostname":""{{end}}{{if $shared}},"Domainname":""{{end}}'
}

# Anonymous volumes are bound by the name that the engine gave them, else the data would stay behind.
binds() {
  of_container '{{$c := ""}}{{range .HostConfig.Binds}}{{$c}}{{json .}}{{$c = ","}}{{end}}{{range $m := .Mounts}}{{if and (eq (printf "%s" $m.Type) "volume") $m.Name}}{{$known := false}}{{range $.HostConfig.Binds}}{{if eq (index (split . ":") 1) $m.Destination (printf "%s/" $m.Destination)}}{{$known = true}}{{end}}{{end}}{{range $.HostConfig.Mounts}}{{if eq .Target $m.Destination (printf "%s/" $m.Destination)}}{{$known = true}}{{end}}{{end}}{{if not $known}}{{$c}}{{json (printf "%s:%s" $m.Name $m.Destination)}}{{$c = ","}}{{end}}{{end}}{{end}}'
}

endpoint='{"IPAMConfig":{{json $n.IPAMConfig}},"Links":{{json $n.Links}},"DriverOpts":{{json $n.DriverOpts}},"Aliases":[{{$c := ""}}{{range $n.Aliases}}{{if ne . (truncate $.Id 12)}}{{$c}}{{json .}}{{$c = ","}}{{end}}{{end}}]}'
first_network() {
  of_container '{{$mode := printf "%s" .HostConfig.NetworkMode}}{{range $name, $n := .NetworkSettings.Networks}}{{if and (or (eq $mode $name) (eq $mode $n.NetworkID)) (not (eq $name "bridge" "host" "none"))}}{{json $mode}}:'"$endpoint"'{{end}}{{end}}'
}
other_networks() {
  of_container '{{$mode := printf "%s" .HostConfig.NetworkMode}}{{range $name, $n := .NetworkSettings.Networks}}{{if not (or (eq $mode $name) (eq $mode $n.NetworkID) (and (eq $mode "default") (eq $name "bridge")))}}{{$n.NetworkID}} '"$endpoint"'{{println}}{{end}}{{end}}'
}

main "$@" </dev/null
`;
