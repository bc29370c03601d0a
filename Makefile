.PHONY: setup start dev test check build bench conformance format generate regenerate clean

setup:
	npm ci

start dev test check build bench conformance format:
	npm run --silent $@

# Writes the client of the REST API, with the Task Manager API as docs/swagger.yaml has it.
generate:
	npm run --silent generate -- --client

# The same after removing the old client. The tests compare docs/swagger.yaml with the tools.
regenerate: clean generate

clean:
	rm -rf packages/server/src/clients/generated
