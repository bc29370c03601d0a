.PHONY: setup start dev test check build bench conformance format generate regenerate clean

setup:
	npm ci

start dev test check build bench conformance format:
	npm run --silent $@

# Writes the client of the Task Manager API from docs/swagger.yaml as it stands.
generate:
	npm run --silent generate -- --client

# The same after removing the old client. The tests compare docs/swagger.yaml with the tools.
regenerate: clean generate

clean:
	rm -rf packages/server/src/clients/generated
