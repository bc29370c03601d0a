.PHONY: setup start dev test check build bench conformance format generate regenerate clean

setup:
	npm install --no-save

start dev test check build bench conformance format:
	npm run --silent $@

# The client of the Task Manager API, from docs/swagger.yaml as it is.
generate:
	npm run --silent generate -- --client

# Everything that is computed from the definitions of the tools: docs/swagger.yaml, then its client, and the reference.
regenerate: clean
	npm run --silent generate

clean:
	rm -rf packages/server/src/clients/generated
