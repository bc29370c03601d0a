.PHONY: setup start dev test check generate build bench conformance format

setup:
	npm install --no-save

start dev test check generate build bench conformance format:
	npm run --silent $@
