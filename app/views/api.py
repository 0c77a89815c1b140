from flask import Blueprint
blueprint = Blueprint("api", __name__)
