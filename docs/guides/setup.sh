# Variables and functions of the guides. In the folder of a running demo: . docs/guides/setup.sh

ASSAY_ROOT=${ASSAY_ROOT:-$PWD}
export ASSAY_HOME=$ASSAY_ROOT/.assay
API=${API:-http://127.0.0.1:3000/api/v2}

# The files of the guides go to a folder of their own.
mkdir -p "$ASSAY_HOME/guides"
cd "$ASSAY_HOME/guides"

# The operator's command line; from the folder of the project it is: npm run assay --
assay() { "$ASSAY_ROOT/node_modules/.bin/node" "$ASSAY_ROOT/api/cli/main.ts" "$@"; }

# Repeats a command until it succeeds, for two minutes at most.
patiently() { for _ in $(seq 60); do "$@" && return; sleep 2; done; return 1; }

# The member of a JSON document on standard input: json uid, json data[0].uid
json() { node -p "JSON.parse(require('node:fs').readFileSync(0, 'utf8')).$1"; }

# The key of the demo, its application and its workspace.
KEY=$(json api_key < "$ASSAY_HOME/demo.json")
APP=$(json application.uid < "$ASSAY_HOME/demo.json")
WORKSPACE=$(json workspace.uid < "$ASSAY_HOME/demo.json")

# A person of the demo by name: person Grace
[ -s persons.json ] || assay person list --workspace "$WORKSPACE" --json > persons.json
person() { json "data.find(({ name }) => name.startsWith('$1')).uid" < persons.json; }

# Two persons with the role owner, for decisions that need two.
ANN=$(person Dana)
BEN=$(person Grace)
