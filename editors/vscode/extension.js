// Starts the language server and shows what it answers; everything else is the server's work.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function started() {
  const settings = vscode.workspace.getConfiguration("rulelang");
  const [command, ...args] = settings.get("command");
  const made = new LanguageClient(
    "rulelang",
    "rulelang",
    { command, args },
    {
      documentSelector: [
        { scheme: "file", language: "rulelang" },
        { scheme: "file", pattern: "**/*.csv" },
      ],
      initializationOptions: { wholeCheck: settings.get("wholeCheck") },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.rules,*.csv,rulelang.toml}") },
    },
  );
  made.start();
  return made;
}

const uri = (place) => vscode.Uri.parse(place.uri);
const range = (place) => new vscode.Range(...place.range);

// The server names places in its own plain form; the editor wants its own objects.
function showPlaces(from, places) {
  const found = places.map((place) => new vscode.Location(uri(place), range(place)));
  return vscode.commands.executeCommand("editor.action.showReferences", uri(from), range(from).start, found);
}

function activate(context) {
  client = started();
  context.subscriptions.push(
    vscode.commands.registerCommand("rulelang.showPlaces", showPlaces),
    vscode.commands.registerCommand("rulelang.restart", async () => {
      await client.stop();
      client = started();
    }),
  );
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
